import { expect, it } from 'vitest'
import { shortIssue } from '#src/ui/issue-text.ts'

it('leaves the date out of a round’s number', () => {
  expect(shortIssue('20261121316')).toBe('316')
  expect(shortIssue('202611211440')).toBe('1440')
  expect(shortIssue('')).toBe('')
})

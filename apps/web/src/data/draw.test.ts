import type { IssueResult } from '@sum28/contract/replies.ts'
import { expect, it } from 'vitest'
import { drawFromWire } from '#src/data/draw.ts'

const VOIDED = { issue: '20261120138', site_1: null, site_2: null, site_3: null, code: null }

it.each([
  { base: [], join: '' },
  { base: null, join: null },
])('a voided round has no digits and no labels, told as %j', (labels) => {
  const told = { ...VOIDED, ...labels, status: 'voided', drawn_at: 1_795_000_000 } as IssueResult
  expect(drawFromWire(told)).toEqual({
    issue: '20261120138',
    digits: null,
    labels: [],
    voided: true,
  })
})

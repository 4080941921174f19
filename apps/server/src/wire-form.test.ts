import { expect, it } from 'vitest'
import { maskedName } from './wire-form.ts'

it('a masked name hides at least four characters, or all but the first', () => {
  const names = ['ann', 'anna', 'alice', 'alicia', 'alician', 'alicante', 'alexandria']
  expect(names.map(maskedName)).toEqual(['a**', 'a**', 'a**', 'a**a', 'a**n', 'al**te', 'al**ia'])
})

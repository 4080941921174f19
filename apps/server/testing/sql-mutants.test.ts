import { describe, expect, it } from 'vitest'
import { mutantsOf } from './sql-mutants.ts'

const FILE = `-- A file of functions.
create or replace function till.pay(of_player integer, amount bigint) returns text
language plpgsql as $$
declare
  moment timestamptz;
begin
  -- Who waits for update; is later.
  perform from till.purse where id = of_player for no key update;
  moment := app.now();
  if amount <= 0 then return 'nothing'; end if;
  update till.purse set cash = cash - amount
  where id = of_player
    and opens_at < moment;
  return 'paid';
end
$$;

grant select on till.purse to somebody;
`

describe('faults put into an SQL function', () => {
  const mutants = mutantsOf(FILE)

  it('are one each, of the function alone, and named by their line', () => {
    expect(mutants.map(({ rule, line }) => [rule, line])).toEqual([
      ['a lock is not taken', 8],
      ['a row is read without its lock', 8],
      ['a refusal is left out', 10],
      ['a condition is left out', 12],
      ['a comparison is turned', 10],
      ['a comparison is turned', 13],
      ['a sign is turned', 11],
      ['another column is taken', 11],
      ['another column is taken', 11],
      ['the time is read before the lock', 8],
    ])
    expect(new Set(mutants.map(({ text }) => text)).size).toBe(mutants.length)
    for (const { functionName, text } of mutants) {
      expect(functionName).toBe('till.pay')
      expect(text).not.toBe(FILE)
      expect(text).toContain('-- Who waits for update; is later.')
      expect(text).toContain('grant select on till.purse to somebody;')
    }
  })

  it('keep all else as it was', () => {
    const early = mutants.find(({ rule }) => rule === 'the time is read before the lock')
    expect(early?.text).toContain(
      '  moment := app.now();\n  perform from till.purse where id = of_player for no key update;\n  if amount',
    )
    const open = mutants.find(({ rule }) => rule === 'a condition is left out')
    expect(open?.text).toContain('  where id = of_player;\n  return')
  })
})

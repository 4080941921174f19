import { describe, expect, it } from 'vitest'
import { functionsOf, mutantsOf } from './sql-mutants.ts'

const FILE = `-- A file of functions.
create or replace function till.pay(of_player integer, amount bigint) returns text
language plpgsql as $$
declare
  locked_purse till.purse := till.lock_purse(of_player);
  moment timestamptz := app.now();
begin
  -- Who waits for update; is later.
  perform from till.purse where id = of_player for no key update;
  moment := app.now();
  if amount <= 0 then return 'nothing'; end if;
  select * into locked_purse from till.purse where id = of_player for update;
  if locked_purse.closed or locked_purse.held > 0
  then
    return 'closed and held';
  end if;
  update till.purse set cash = cash - amount
  where id = of_player
    and opens_at < moment;
  perform ledger.post(array[till.request(of_player, amount)]);
  return 'paid';
end
$$;

-- Whether a purse is empty.
create or replace function till.is_empty(of_player integer) returns boolean
language sql stable
begin atomic
  select verdict = 'none' from till.purse, lateral (select case
    when purse.cash > 0 and purse.id between 1 and 9 then 'some'
    when purse.held = 0 then 'none'
  end as verdict) judged order by id desc limit 1;
end;

grant select on till.purse to somebody;
`

describe('faults put into SQL functions', () => {
  const mutants = mutantsOf(FILE)

  it('are one each, by place, and named by the function and the line', () => {
    expect(mutants.map(({ functionName, line, rule }) => [functionName, line, rule])).toEqual([
      ['till.pay', 5, 'the time is read before the lock'],
      ['till.pay', 9, 'a lock is not taken'],
      ['till.pay', 9, 'the time is read before the lock'],
      ['till.pay', 11, 'a refusal is left out'],
      ['till.pay', 11, 'a comparison is turned'],
      ['till.pay', 12, 'a row is read without its lock'],
      ['till.pay', 13, 'a refusal is left out'],
      ['till.pay', 13, 'a condition is left out'],
      ['till.pay', 13, 'a condition is left out'],
      ['till.pay', 13, 'a comparison is turned'],
      ['till.pay', 17, 'another column is taken'],
      ['till.pay', 17, 'a sign is turned'],
      ['till.pay', 19, 'a condition is left out'],
      ['till.pay', 19, 'another column is taken'],
      ['till.pay', 19, 'a comparison is turned'],
      ['till.pay', 20, 'a step is left out'],
      ['till.is_empty', 30, 'a case is left out'],
      ['till.is_empty', 30, 'a condition is left out'],
      ['till.is_empty', 30, 'another column is taken'],
      ['till.is_empty', 30, 'a comparison is turned'],
      ['till.is_empty', 30, 'a condition is left out'],
      ['till.is_empty', 31, 'a case is left out'],
      ['till.is_empty', 32, 'an order is turned'],
    ])
  })

  it('are statements of one function each, without its comments', () => {
    expect(new Set(mutants.map(({ statement }) => statement)).size).toBe(mutants.length)
    for (const { functionName, statement } of mutants) {
      expect(statement).toMatch(new RegExp(`^create or replace function ${functionName}\\(`))
      expect(statement).toMatch(/(\$\$|end);$/)
      expect(statement).not.toContain('--')
      expect(statement).not.toContain('grant')
    }
  })

  it.each([
    [
      'the time is read before the lock',
      '  moment timestamptz := app.now();\n  locked_purse till.purse := till.lock_purse(of_player);\nbegin',
    ],
    ['a condition is left out', '  if locked_purse.closed\n  then'],
  ])('keep all else as it was: %s', (rule, text) => {
    const statements = mutants.filter((mutant) => mutant.rule === rule)
    expect(statements.map(({ statement }) => statement).join('\n')).toContain(text)
  })

  it('are made of every form in which a function is written', () => {
    const onOneLine = `create or replace function till.wait() returns interval
language sql immutable return interval '24 hours';
`
    const names = (file: string) => functionsOf(file).map(({ name }) => name)
    expect(names(FILE)).toEqual(['till.pay', 'till.is_empty'])
    expect(names(onOneLine + FILE)).toEqual(['till.wait', 'till.pay', 'till.is_empty'])
  })
})

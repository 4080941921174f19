import { describe, expect, it } from 'vitest'
import { readStaffArguments } from './staff-arguments.ts'

describe('the arguments of console:staff', () => {
  it.each([
    ['--name ann --role finance', { act: 'make', name: 'ann', role: 'finance', withSecret: false }],
    ['--name=Ann --role=owner', { act: 'make', name: 'ann', role: 'owner', withSecret: false }],
    ['--name ann --reset', { act: 'reset', name: 'ann', role: null, withSecret: false }],
    [
      '--reset --role support --name ann --with-secret',
      { act: 'reset', name: 'ann', role: 'support', withSecret: true },
    ],
    ['--name owner --code', { act: 'code', name: 'owner' }],
    ['--name ann --close', { act: 'close', name: 'ann' }],
    ['--help', { act: 'help' }],
    ['-h', { act: 'help' }],
  ])('%s is understood', (line, request) => {
    expect(readStaffArguments(line.split(' '))).toEqual(request)
  })

  it.each([
    ['--role owner', '--name is missing'],
    ['--name ann', '--role is missing'],
    ['--name ann --role king', `'king' is not a role`],
    ['--name ann --role owner --resett', '--resett'],
    ['ann --role owner', `'ann'`],
    ['--name', '--name'],
    ['--name ann --reset --close', 'exclude each other'],
  ])('%s is refused with what is wrong and how it goes', (line, what) => {
    expect(() => readStaffArguments(line.split(' '))).toThrow(what)
    expect(() => readStaffArguments(line.split(' '))).toThrow('npm run console:staff -- --name')
  })
})

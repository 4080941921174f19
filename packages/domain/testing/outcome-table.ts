/**
 * The table of outcomes: which sums each selection covers and how many of the 1,000 draws hit it.
 * Written by hand from the rules that players read, not computed by the code under test.
 */

export type TableRow = {
  readonly id: number
  readonly outcome: string
  readonly sums: readonly number[]
  readonly ways: number
}

export const NAMED_ROWS: readonly TableRow[] = [
  {
    id: 1,
    outcome: 'long',
    sums: [14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27],
    ways: 500,
  },
  { id: 2, outcome: 'short', sums: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], ways: 500 },
  {
    id: 3,
    outcome: 'odd',
    sums: [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27],
    ways: 500,
  },
  {
    id: 4,
    outcome: 'even',
    sums: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26],
    ways: 500,
  },
  { id: 11, outcome: 'long-odd', sums: [15, 17, 19, 21, 23, 25, 27], ways: 231 },
  { id: 12, outcome: 'long-even', sums: [14, 16, 18, 20, 22, 24, 26], ways: 269 },
  { id: 13, outcome: 'short-odd', sums: [1, 3, 5, 7, 9, 11, 13], ways: 269 },
  { id: 14, outcome: 'short-even', sums: [0, 2, 4, 6, 8, 10, 12], ways: 231 },
]

export const SUM_ROWS: readonly TableRow[] = [
  { id: 400, outcome: '0', sums: [0], ways: 1 },
  { id: 401, outcome: '1', sums: [1], ways: 3 },
  { id: 402, outcome: '2', sums: [2], ways: 6 },
  { id: 403, outcome: '3', sums: [3], ways: 10 },
  { id: 404, outcome: '4', sums: [4], ways: 15 },
  { id: 405, outcome: '5', sums: [5], ways: 21 },
  { id: 406, outcome: '6', sums: [6], ways: 28 },
  { id: 407, outcome: '7', sums: [7], ways: 36 },
  { id: 408, outcome: '8', sums: [8], ways: 45 },
  { id: 409, outcome: '9', sums: [9], ways: 55 },
  { id: 410, outcome: '10', sums: [10], ways: 63 },
  { id: 411, outcome: '11', sums: [11], ways: 69 },
  { id: 412, outcome: '12', sums: [12], ways: 73 },
  { id: 413, outcome: '13', sums: [13], ways: 75 },
  { id: 414, outcome: '14', sums: [14], ways: 75 },
  { id: 415, outcome: '15', sums: [15], ways: 73 },
  { id: 416, outcome: '16', sums: [16], ways: 69 },
  { id: 417, outcome: '17', sums: [17], ways: 63 },
  { id: 418, outcome: '18', sums: [18], ways: 55 },
  { id: 419, outcome: '19', sums: [19], ways: 45 },
  { id: 420, outcome: '20', sums: [20], ways: 36 },
  { id: 421, outcome: '21', sums: [21], ways: 28 },
  { id: 422, outcome: '22', sums: [22], ways: 21 },
  { id: 423, outcome: '23', sums: [23], ways: 15 },
  { id: 424, outcome: '24', sums: [24], ways: 10 },
  { id: 425, outcome: '25', sums: [25], ways: 6 },
  { id: 426, outcome: '26', sums: [26], ways: 3 },
  { id: 427, outcome: '27', sums: [27], ways: 1 },
]

export const OUTCOME_TABLE: readonly TableRow[] = [...NAMED_ROWS, ...SUM_ROWS]

/** The first odds of rooms of type 0–3, by the ways of the outcome. */
export const START_ODDS: readonly Readonly<Record<number, string>>[] = [
  {
    500: '1.92',
    231: '4.155',
    269: '3.568',
    1: '960',
    3: '320',
    6: '160',
    10: '96',
    15: '64',
    21: '45.714',
    28: '34.285',
    36: '26.666',
    45: '21.333',
    55: '17.454',
    63: '15.238',
    69: '13.913',
    73: '13.15',
    75: '12.8',
  },
  {
    500: '1.93',
    231: '4.177',
    269: '3.587',
    1: '965',
    3: '321.666',
    6: '160.833',
    10: '96.5',
    15: '64.333',
    21: '45.952',
    28: '34.464',
    36: '26.805',
    45: '21.444',
    55: '17.545',
    63: '15.317',
    69: '13.985',
    73: '13.219',
    75: '12.866',
  },
  {
    500: '1.94',
    231: '4.199',
    269: '3.605',
    1: '970',
    3: '323.333',
    6: '161.666',
    10: '97',
    15: '64.666',
    21: '46.19',
    28: '34.642',
    36: '26.944',
    45: '21.555',
    55: '17.636',
    63: '15.396',
    69: '14.057',
    73: '13.287',
    75: '12.933',
  },
  {
    500: '1.95',
    231: '4.22',
    269: '3.624',
    1: '975',
    3: '325',
    6: '162.5',
    10: '97.5',
    15: '65',
    21: '46.428',
    28: '34.821',
    36: '27.083',
    45: '21.666',
    55: '17.727',
    63: '15.476',
    69: '14.13',
    73: '13.356',
    75: '13',
  },
]

/** The first odds of a room of a type, by rule, in thousandths. */
export function startOdds(type: 0 | 1 | 2 | 3): { ruleId: number; oddsMilli: number }[] {
  return OUTCOME_TABLE.map(({ id, ways }) => ({
    ruleId: id,
    oddsMilli: Math.round(Number(START_ODDS[type]?.[ways]) * 1_000),
  }))
}

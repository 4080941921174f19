import { describe, expect, it } from 'vitest'
import {
  clockTimeText,
  dayHeading,
  dayText,
  durationText,
  momentText,
  rangeText,
} from '#src/time-text.ts'

const AT = Date.parse('2026-11-20T18:02:09Z')
const SINGAPORE = { tag: 'en', zone: 'Asia/Singapore' }

describe('an instant', () => {
  it('is shown in the operator’s time zone, after midnight as 02', () => {
    expect(clockTimeText(AT, SINGAPORE)).toBe('02:02')
    expect(clockTimeText(AT, { ...SINGAPORE, zone: 'UTC' })).toBe('18:02')
    expect(clockTimeText(Date.parse('2026-11-20T16:00:00Z'), SINGAPORE)).toBe('00:00')
  })

  it('belongs to the operator’s day', () => {
    expect(dayHeading(AT, SINGAPORE)).toBe('Sat, Nov 21')
    expect(momentText(AT, SINGAPORE)).toBe('Nov 21, 2026, 02:02:09')
  })
})

describe('a range of days', () => {
  it('is as short as possible', () => {
    const plain = (text: string) => text.replace(/\s/g, ' ')
    const now = { tag: 'en', today: '2026-11-21' }
    expect(rangeText({ from: '2026-11-20', to: '2026-11-20' }, now)).toBe('Nov 20')
    expect(plain(rangeText({ from: '2026-11-14', to: '2026-11-20' }, now))).toBe('Nov 14 – 20')
  })

  it('is broken over two lines between its days alone', () => {
    const now = { tag: 'vi', today: '2026-11-21' }
    const text = rangeText({ from: '2025-12-14', to: '2026-10-20' }, now)
    expect(text.split(' ').map((line) => line.replaceAll('\u00a0', ' '))).toEqual([
      '14 thg 12, 2025 –',
      '20 thg 10, 2026',
    ])
  })

  it('has its year unless that is this one', () => {
    const now = { tag: 'en', today: '2026-11-21' }
    const plain = (text: string) => text.replace(/\s/g, ' ')
    expect(rangeText({ from: '2025-12-14', to: '2026-01-20' }, now)).toMatch(/2025.*2026/)
    expect(plain(rangeText({ from: '2024-11-14', to: '2024-11-20' }, now))).toBe(
      'Nov 14 – 20, 2024',
    )
    expect(rangeText({ from: '2024-11-20', to: '2024-11-20' }, now)).toBe('Nov 20, 2024')
  })
})

describe('a day', () => {
  it('has its year if it is not the present one', () => {
    expect(dayText('2026-01-01', { tag: 'en', today: '2026-11-21' })).toBe('Thu, Jan 1')
    expect(dayText('2018-01-01', { tag: 'en', today: '2026-11-21' })).toBe('Mon, Jan 1, 2018')
  })

  it('has the format of the language', () => {
    expect(dayText('2026-11-21', { tag: 'ja', today: '2026-11-21' })).toBe('11月21日(土)')
  })
})

it('names hours, minutes and seconds, except those that are 0', () => {
  expect(durationText(210, 'en')).toBe('3 min 30 sec')
  expect(durationText(180, 'en')).toBe('3 min')
  expect(durationText(210, 'ja')).toBe('3分30秒')
  expect(durationText(210, 'zh-CN')).toBe('3分钟30秒')
  expect(durationText(3_605, 'en')).toBe('1 hr 5 sec')
  expect(durationText(0, 'en')).toBe('0 sec')
})

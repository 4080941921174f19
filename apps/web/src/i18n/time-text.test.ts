import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  clockTimeText,
  dataTimeText,
  dayTimeText,
  deadlineLooks,
  hoursText,
  minuteText,
  momentText,
  rangeText,
} from '#src/i18n/time-text.ts'

const AT = Date.parse('2026-11-20T18:02:09Z')
const SINGAPORE = { tag: 'en', zone: 'Asia/Singapore' }

describe('an instant', () => {
  it('is shown in the operator’s time zone, after midnight as 02', () => {
    expect(clockTimeText(AT, SINGAPORE)).toBe('02:02')
    expect(clockTimeText(AT, { ...SINGAPORE, zone: 'UTC' })).toBe('18:02')
    expect(clockTimeText(Date.parse('2026-11-20T16:00:00Z'), SINGAPORE)).toBe('00:00')
  })

  it('belongs to the operator’s day', () => {
    expect(dayTimeText(AT, SINGAPORE)).toBe('Sat, Nov 21, 02:02')
    expect(momentText(AT, SINGAPORE)).toBe('Nov 21, 2026, 02:02:09')
  })
})

it.each([
  ['zh-CN', '11月21日周六 02:02'],
  ['zh-TW', '11月21日週六 02:02'],
  ['ja', '11月21日(土) 02:02'],
  ['ko', '11월 21일 (토) 02:02'],
  ['vi', '02:02 Thứ 7, 21 thg 11'],
  ['id', 'Sab, 21 Nov, 02.02'],
])('a time of another day has its day as %s writes it', (tag, text) => {
  expect(dataTimeText(AT, 0, { ...SINGAPORE, tag })).toBe(text)
})

describe('a deadline', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('is in the device’s time zone, which is named, where that is not the operator’s', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const looks = deadlineLooks(AT, SINGAPORE)
    expect(minuteText(AT, looks)).toBe('Nov 20, 2026, 19:02 GMT+1')
    expect(dataTimeText(AT, AT, looks)).toBe('19:02 GMT+1')
    expect(dataTimeText(AT, 0, looks)).toBe('Fri, Nov 20, 19:02 GMT+1')
    expect(hoursText('10:00-02:00', AT, SINGAPORE)).toBe('10:00–02:00 GMT+8')
  })

  it('has the marks of the language, also in opening hours', () => {
    vi.stubEnv('TZ', 'Asia/Singapore')
    expect(clockTimeText(AT, { ...SINGAPORE, tag: 'id' })).toBe('02.02')
    expect(hoursText('10:00-02:00', AT, { ...SINGAPORE, tag: 'id' })).toBe('10.00–02.00')
  })

  it('has no zone where both show the same time, whatever they are called', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')
    expect(minuteText(AT, deadlineLooks(AT, SINGAPORE))).toBe('Nov 21, 2026, 02:02')
    expect(hoursText('10:00-02:00', AT, SINGAPORE)).toBe('10:00–02:00')
  })
})

describe('on a device whose time zone the browser does not know', () => {
  afterEach(() => vi.restoreAllMocks())

  it('a deadline and opening hours are in the operator’s, which is named', () => {
    const known = new Intl.DateTimeFormat().resolvedOptions()
    const unknown = { ...known, timeZone: 'Etc/Unknown' }
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(unknown)
    expect(minuteText(AT, deadlineLooks(AT, SINGAPORE))).toBe('Nov 21, 2026, 02:02 GMT+8')
    expect(hoursText('10:00-02:00', AT, SINGAPORE)).toBe('10:00–02:00 GMT+8')
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

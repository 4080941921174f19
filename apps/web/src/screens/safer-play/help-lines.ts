/**
 * Organisations that help people who gamble too much, and their relatives. The address is
 * that of the organisation's own page with the number. The numbers were not called and the pages were
 * not opened for this list: `HELP_LINES_AS_OF` is the year of the data.
 */
import type { Locale } from '@sum28/ui/languages.ts'

export const HELP_LINES_AS_OF = 2025

export type HelpLine = {
  /** ISO 3166 code; null: worldwide. */
  readonly country: string | null
  /** The languages of the app in which it answers. */
  readonly locales: readonly Locale[]
  readonly organisation: string
  /** As it is dialled within the country. */
  readonly phone?: string
  readonly web: string
}

export const HELP_LINES: readonly HelpLine[] = [
  {
    country: null,
    locales: ['en', 'zh', 'zh-TW', 'ja', 'ko', 'vi', 'id'],
    organisation: 'Gambling Therapy',
    web: 'https://www.gamblingtherapy.org',
  },
  {
    country: null,
    locales: ['en', 'zh', 'zh-TW', 'ja', 'ko', 'vi', 'id'],
    organisation: 'Gamblers Anonymous',
    web: 'https://www.gamblersanonymous.org',
  },
  {
    country: 'GB',
    locales: ['en'],
    organisation: 'GamCare, National Gambling Helpline',
    phone: '0808 8020 133',
    web: 'https://www.gamcare.org.uk',
  },
  {
    country: 'US',
    locales: ['en'],
    organisation: 'Council on Compulsive Gambling of New Jersey, 1-800-GAMBLER',
    phone: '1-800-426-2537',
    web: 'https://800gambler.org',
  },
  {
    country: 'US',
    locales: ['en'],
    organisation: 'National Council on Problem Gambling',
    phone: '1-800-522-4700',
    web: 'https://www.ncpgambling.org',
  },
  {
    country: 'CA',
    locales: ['en'],
    organisation: 'ConnexOntario',
    phone: '1-866-531-2600',
    web: 'https://www.connexontario.ca',
  },
  {
    country: 'AU',
    locales: ['en'],
    organisation: 'Gambling Help Online',
    phone: '1800 858 858',
    web: 'https://www.gamblinghelponline.org.au',
  },
  {
    country: 'CN',
    locales: ['zh'],
    organisation: '全国统一心理援助热线',
    phone: '12356',
    web: 'https://www.nhc.gov.cn',
  },
  {
    country: 'TW',
    locales: ['zh-TW'],
    organisation: '衛生福利部 安心專線',
    phone: '1925',
    web: 'https://www.mohw.gov.tw',
  },
  {
    country: 'SG',
    locales: ['en', 'zh'],
    organisation: 'National Council on Problem Gambling',
    phone: '1800-6-668-668',
    web: 'https://www.ncpg.org.sg',
  },
  {
    country: 'MY',
    locales: ['en'],
    organisation: 'Befrienders Kuala Lumpur',
    phone: '03-7627 2929',
    web: 'https://www.befrienders.org.my',
  },
  {
    country: 'HK',
    locales: ['zh-TW', 'zh', 'en'],
    organisation: 'Ping Wo Fund 平和基金戒賭熱線',
    phone: '1834 633',
    web: 'https://www.donotgamble.org.hk',
  },
  {
    country: 'HK',
    locales: ['zh-TW', 'zh', 'en'],
    organisation: 'Even Centre 東華三院平和坊',
    web: 'https://evencentre.tungwahcsd.org',
  },
  {
    country: 'JP',
    locales: ['ja'],
    organisation: '消費者ホットライン',
    phone: '188',
    web: 'https://www.caa.go.jp',
  },
  {
    country: 'JP',
    locales: ['ja'],
    organisation: 'GA（ギャンブラーズ・アノニマス）日本',
    web: 'https://www.gajapan.jp',
  },
  {
    country: 'KR',
    locales: ['ko'],
    organisation: '한국도박문제예방치유원',
    phone: '1336',
    web: 'https://www.kcgp.or.kr',
  },
  {
    country: 'ID',
    locales: ['id'],
    organisation: 'Kementerian Kesehatan, layanan SEJIWA',
    phone: '119 ext. 8',
    web: 'https://www.kemkes.go.id',
  },
]

/** The lines, separated into those that answer in a language, by country, worldwide ones last, and the others. */
export function helpLinesFor(locale: string) {
  const answers = (line: HelpLine) => line.locales.some((each) => each === locale)
  const inCountry = HELP_LINES.filter((line) => answers(line) && line.country !== null)
  const worldwide = HELP_LINES.filter((line) => answers(line) && line.country === null)
  return {
    own: [...inCountry, ...worldwide],
    elsewhere: HELP_LINES.filter((line) => !answers(line)),
  }
}

/**
 * Goal: no text of the product urges a player on. Method: all catalogs of the app, its parts, the
 * server with its mails, and the first content are read as files, each language by its own list.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * Words and phrases that urge somebody to play, to play on or to stake more, by language: haste, luck,
 * certain wins, near misses, and getting losses back. A text of the product has none of them.
 */
const URGING_WORDS: Record<string, RegExp> = {
  en: /hurry|don[’']t miss|last chance|act now|(?:play|bet|stake|deposit) (?:now|more)|keep playing|one more (?:bet|round|try)|win (?:big|back)|sure win|can[’']t lose|guaranteed (?:win|profit)|easy money|get rich|free money|risk[- ]free|jackpot|lucky|good luck|so close|(?:almost|nearly) won|your turn to win/i,
  zh: /赶快|赶紧|快来|抓紧|(?:立即|马上|现在就)(?:投注|下注|充值)|再来一[局把注]|多投|稳赚|必[赢胜中]|包赢|发财|暴富|大奖|翻本|回本|手气|好运|幸运|(?:别|不要|切勿)错过|机不可失|最后机会|差一点|就差|再接再厉|零风险/,
  'zh-TW':
    /趕快|趕緊|快來|把握機會|(?:立即|馬上|現在就)(?:投注|下注|儲值)|再來一[局把注]|多投|穩賺|必[贏勝中]|包贏|發財|暴富|大獎|翻本|回本|手氣|好運|幸運|(?:別|不要|切勿)錯過|機不可失|最後機會|差一點|就差|再接再厲|零風險/,
  ja: /今すぐ(?:ベット|賭け|プレイ|入金)|お急ぎ|お見逃し|ラストチャンス|最後のチャンス|必勝|必ず勝|絶対に?勝|儲か|稼げ|一攫千金|大当たり|ツキ|幸運|惜しい|あと少しで|もう一(?:回|勝負)(?:ベット|賭け|挑戦)|取り[戻返](?:そう(?!と)|しましょう|せます)|ノーリスク/,
  ko: /서두르|놓치지 마|지금 (?:바로 )?(?:베팅|플레이|입금)|한 판 더|한 번 더 (?:베팅|도전)|필승|무조건 (?:당첨|이깁)|대박|일확천금|아깝|아쉽게|행운|본전|마지막 기회|무위험/,
  vi: /nhanh tay|nhanh lên|đừng bỏ lỡ|cơ hội cuối|(?:cược|chơi|đặt|nạp) ngay|chơi nữa|cược thêm|chắc thắng|thắng lớn|trúng lớn|làm giàu|đổi đời|vận may|may mắn|suýt|gỡ vốn|không rủi ro/i,
  id: /buruan|ayo main|jangan lewatkan|kesempatan terakhir|(?:pasang|main|bertaruh|deposit) sekarang|main lagi|bertaruh lebih|pasti menang|menang besar|cepat kaya|gacor|jackpot|hoki|keberuntungan|nyaris menang|balik modal|tanpa risiko/i,
}

/** What a text in each language would be found by, so that no list can be empty by mistake. */
const URGING_EXAMPLES: Record<string, readonly string[]> = {
  en: ['Hurry, last chance!', 'So close! Bet now and win back what you lost.', 'Good luck'],
  zh: ['赶快充值', '差一点就中了', '祝您好运'],
  'zh-TW': ['趕快儲值', '差一點就中了', '祝您好運'],
  ja: ['今すぐベット！', '惜しい！', '負けた分を取り返そう'],
  ko: ['지금 베팅하세요', '아깝게 놓쳤어요', '행운을 빕니다'],
  vi: ['Cược ngay kẻo lỡ', 'Suýt trúng rồi', 'Chúc may mắn'],
  id: ['Main sekarang', 'Nyaris menang!', 'Semoga hoki'],
}

const ROOT = join(import.meta.dirname, '..')
const LANGUAGES = Object.keys(URGING_WORDS)

type Text = { from: string; text: string }

/** The texts of a language in all catalogs, each with its file and key. */
function catalogTexts(language: string): Text[] {
  const files = globSync(
    ['{apps,packages}/*/src/**/locales/*/*.json', 'packages/i18n/src/catalogs/*.json'],
    {
      cwd: ROOT,
    },
  )
  return files
    .filter((file) => [basename(file, '.json'), basename(dirname(file))].includes(language))
    .flatMap((file) => {
      const texts = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<string, string>
      return Object.entries(texts).map(([key, text]) => ({ from: `${file} ${key}`, text }))
    })
}

/** The rows of the first content in a language: titles, articles, announcements, mails. */
function contentTexts(language: string): Text[] {
  const row = new RegExp(`\\((?:\\d+, )?'${language}',\\s*((?:'(?:[^']|'')*',?\\s*)+)\\)`, 'g')
  return globSync('apps/server/sql/migrations/*.sql', { cwd: ROOT }).flatMap((file) => {
    const sql = readFileSync(join(ROOT, file), 'utf8')
    return [...sql.matchAll(row)].map(([, text = '']) => ({ from: file, text }))
  })
}

function urgingIn(language: string, texts: readonly Text[]): string[] {
  return texts.flatMap(({ from, text }) => {
    const match = URGING_WORDS[language]?.exec(text)
    return match ? [`${from}: ‘${match[0]}’`] : []
  })
}

describe.each(LANGUAGES)('the texts in %s', (language) => {
  it('are all read: of the app, of the server, and of the first content', () => {
    const files = catalogTexts(language).map(({ from }) => from)
    for (const key of ['saferPlay.lead', 'mail.register.text', 'outcome.long', 'panel.allIn']) {
      expect(
        files.some((file) => file.endsWith(` ${key}`)),
        key,
      ).toBe(true)
    }
    expect(contentTexts(language).length).toBeGreaterThan(10)
  })

  it('urge no player on', () => {
    expect(urgingIn(language, catalogTexts(language))).toEqual([])
    expect(urgingIn(language, contentTexts(language))).toEqual([])
  })

  it.each(URGING_EXAMPLES[language] ?? [])('would be found to urge by ‘%s’', (text) => {
    expect(urgingIn(language, [{ from: 'an example', text }])).toHaveLength(1)
  })
})

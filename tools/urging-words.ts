/**
 * Words and phrases that urge somebody to play, to play on or to stake more, by language: haste, luck,
 * certain wins, near misses, and getting losses back. A text of the product has none of them.
 */
export const URGING_WORDS: Record<string, RegExp> = {
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
export const URGING_EXAMPLES: Record<string, readonly string[]> = {
  en: ['Hurry, last chance!', 'So close! Bet now and win back what you lost.', 'Good luck'],
  zh: ['赶快充值', '差一点就中了', '祝您好运'],
  'zh-TW': ['趕快儲值', '差一點就中了', '祝您好運'],
  ja: ['今すぐベット！', '惜しい！', '負けた分を取り返そう'],
  ko: ['지금 베팅하세요', '아깝게 놓쳤어요', '행운을 빕니다'],
  vi: ['Cược ngay kẻo lỡ', 'Suýt trúng rồi', 'Chúc may mắn'],
  id: ['Main sekarang', 'Nyaris menang!', 'Semoga hoki'],
}

import { AmountText } from '../src/amount.tsx'
import { AvatarPreset } from '../src/avatar-preset.tsx'
import { CountdownRing } from '../src/countdown-ring.tsx'
import { DrawTiles } from '../src/draw-tiles.tsx'
import type { GameCode } from '../src/game-code.ts'
import { GameMark } from '../src/game-mark.tsx'
import { ICON_NAMES, Icon } from '../src/icon.tsx'
import { OutcomeTags } from '../src/outcome-tag.tsx'
import { QrCode } from '../src/qr-code.tsx'
import { useText } from '../src/text.ts'
import { GalleryPart, State } from './gallery-part.tsx'

const GAMES: (GameCode | undefined)[] = ['dot', 'bch', 'eth', 'btc', undefined]
const SIZES = ['s', 'm', 'l'] as const
const OUTCOMES = ['long', 'short', 'odd', 'even', 'long-odd', 'long-even', 'short-odd', '27']

export function FigureParts() {
  const t = useText()
  const over = t('outcome.long')
  return (
    <>
      <GalleryPart name="AmountText">
        <State name="plain, signed, all decimals, without unit, very large" side>
          <AmountText value="1284.50" />
          <AmountText value="1284.50" signed />
          <AmountText value="-20.00" signed />
          <AmountText value="0.00" signed />
          <AmountText value="50.000001" decimals="all" />
          <AmountText value="7.00" unit={false} />
          <AmountText value="123456789012.34" />
        </State>
      </GalleryPart>
      <GalleryPart name="DrawTiles">
        {SIZES.map((size) => (
          <State key={size} name={`${size}: drawn, and not drawn yet`} side>
            <DrawTiles digits={[9, 0, 9]} size={size} />
            <DrawTiles digits={null} size={size} />
          </State>
        ))}
        <State name="revealed">
          <DrawTiles digits={[1, 2, 3]} size="l" reveal="1" />
        </State>
      </GalleryPart>
      <GalleryPart name="OutcomeTags">
        <State name="all, and cut after four">
          <OutcomeTags outcomes={OUTCOMES} />
        </State>
        <State name="cut after four">
          <OutcomeTags outcomes={OUTCOMES} max={4} />
        </State>
      </GalleryPart>
      <GalleryPart name="CountdownRing">
        {GAMES.slice(0, 4).map((game) => (
          <div key={game} data-game={game}>
            <State name={`${game}: running, last ten seconds, over, not known`} side>
              <CountdownRing seconds={125} total={180} caption={t('days.to')} over={over} />
              <CountdownRing seconds={9} total={180} caption={t('days.to')} over={over} />
              <CountdownRing seconds={0} total={180} over={over} />
              <CountdownRing seconds={null} total={180} over={over} />
              <CountdownRing seconds={60} total={180} size="s" over={over} />
              <CountdownRing seconds={0} total={180} size="s" over={over} />
            </State>
          </div>
        ))}
      </GalleryPart>
      <GalleryPart name="GameMark, AvatarPreset, QrCode">
        <State name="marks" side>
          {GAMES.map((game) => (
            <GameMark key={game ?? 'unknown'} game={game} size={40} />
          ))}
        </State>
        <State name="avatars" side>
          {[1, 2, 3, 4, 5, 6, 7, 8].map((number) => (
            <span key={number} style={{ width: 48 }}>
              <AvatarPreset number={number} />
            </span>
          ))}
        </State>
        <State name="code">
          <QrCode value="https://example.com/register?inviter_id=7" label={over} size={120} />
        </State>
      </GalleryPart>
      <GalleryPart name="Icon">
        <State name="all" side>
          {ICON_NAMES.map((name) => (
            <span key={name} title={name}>
              <Icon name={name} />
            </span>
          ))}
        </State>
      </GalleryPart>
    </>
  )
}

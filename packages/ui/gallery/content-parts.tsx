import { AmountText } from '../src/amount.tsx'
import { Button } from '../src/button.tsx'
import { Callout } from '../src/callout.tsx'
import { Card, CardHeading } from '../src/card.tsx'
import { CountdownRing } from '../src/countdown-ring.tsx'
import { DrawTiles } from '../src/draw-tiles.tsx'
import { EmptyState } from '../src/empty-state.tsx'
import type { GameCode } from '../src/game-code.ts'
import { GameLogo } from '../src/game-logo.tsx'
import { ICON_NAMES, Icon } from '../src/icon.tsx'
import { ListRow } from '../src/list-row.tsx'
import { OutcomeTags } from '../src/outcome-tag.tsx'
import { QrCode } from '../src/qr-code.tsx'
import { RecordBadge, RecordList, RecordRow, RecordSign } from '../src/record-row.tsx'
import { Skeleton, SkeletonRows } from '../src/skeleton.tsx'
import { useText } from '../src/text.ts'
import { GalleryPart, State, type Words } from './gallery-part.tsx'

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
      <GalleryPart name="GameLogo, QrCode">
        <State name="marks" side>
          {GAMES.map((game) => (
            <GameLogo key={game ?? 'unknown'} game={game} size={40} />
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

/** Rows, cards and their placeholders. */
export function ListParts({ words }: { words: Words }) {
  const { label, long, sentence } = words
  return (
    <>
      <GalleryPart name="Card, ListRow">
        <State name="leads on, acts, chosen, hurts, is no control">
          <CardHeading end={<span>28</span>}>{long}</CardHeading>
          <Card kind="rows">
            <ListRow icon="wallet" title={long} note={sentence} to="#" />
            <ListRow icon="gear" title={label} end={long} onPress={() => {}} arrow />
            <ListRow icon="globe" title={label} onPress={() => {}} chosen />
            <ListRow icon="globe" title={label} onPress={() => {}} chosen={false} />
            <ListRow icon="logout" title={label} onPress={() => {}} danger />
            <ListRow title={label} end={<AmountText value="1284.50" />} />
          </Card>
        </State>
        <State name="plain">
          <Card>{sentence}</Card>
        </State>
      </GalleryPart>
      <GalleryPart name="RecordRow">
        <State name="a bet, movements of money, a notice">
          <Card kind="rows">
            <RecordList>
              <li>
                <RecordRow
                  to="#"
                  sign={<GameLogo game="eth" size={32} />}
                  title={`ETH · ${long}`}
                  value={<AmountText value="123456.78" signed />}
                  note="138 · 14:02"
                  noteEnd={<AmountText value="1000000.00" />}
                >
                  <OutcomeTags outcomes="long,long-odd,27,short-even" max={4} />
                  <DrawTiles digits={[9, 9, 9]} size="s" />
                </RecordRow>
              </li>
              {(['quiet', 'accent', 'in', 'warn', 'bad'] as const).map((tone) => (
                <li key={tone}>
                  <RecordRow
                    sign={<RecordSign icon="wallet" tone={tone} />}
                    title={
                      <>
                        {label}
                        <RecordBadge tone={tone}>{label}</RecordBadge>
                      </>
                    }
                    value={<AmountText value="-20.000001" decimals="all" signed />}
                    note={`${long} · 14:02`}
                    noteEnd={<AmountText value="1284.500001" decimals="all" />}
                  />
                </li>
              ))}
            </RecordList>
          </Card>
        </State>
      </GalleryPart>
      <GalleryPart name="Callout">
        <Callout icon="info">{sentence}</Callout>
        <Callout icon="shield" tone="accent">
          {sentence}
        </Callout>
        <Callout icon="warn" tone="warn" title={long}>
          {sentence}
        </Callout>
      </GalleryPart>
      <GalleryPart name="EmptyState">
        <State name="as it is, and with all there is">
          <EmptyState />
          <EmptyState icon="search" title={long} hint={sentence} onReload={() => {}}>
            <Button kind="soft">{label}</Button>
          </EmptyState>
        </State>
      </GalleryPart>
      <GalleryPart name="Skeleton, SkeletonRows">
        <Skeleton height={52} />
        <SkeletonRows count={2} />
      </GalleryPart>
    </>
  )
}

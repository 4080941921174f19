import { AmountText } from '../src/amount.tsx'
import { Button } from '../src/button.tsx'
import { Callout } from '../src/callout.tsx'
import { Card, CardHeading } from '../src/card.tsx'
import { DrawTiles } from '../src/draw-tiles.tsx'
import { EmptyState } from '../src/empty-state.tsx'
import { GameMark } from '../src/game-mark.tsx'
import { ListRow } from '../src/list-row.tsx'
import { OutcomeTags } from '../src/outcome-tag.tsx'
import { RecordBadge, RecordList, RecordRow, RecordSign } from '../src/record-row.tsx'
import { Skeleton, SkeletonRows } from '../src/skeleton.tsx'
import { SkeletonText } from '../src/skeleton-text.tsx'
import { GalleryPart, State } from './gallery-part.tsx'
import type { Words } from './words.ts'

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
                  sign={<GameMark game="eth" size={32} />}
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
      <GalleryPart name="Skeleton, SkeletonRows, SkeletonText">
        <Skeleton height={52} />
        <SkeletonRows count={2} />
        <SkeletonText />
      </GalleryPart>
    </>
  )
}

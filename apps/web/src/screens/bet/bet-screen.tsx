import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { Skeletons } from '@sum28/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { useRouteQuery } from '#src/app/use-route-query.ts'
import { orderNoOfItem } from '#src/data/bet.ts'
import { fullBetQuery } from '#src/data/full-bet.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { BetSheet } from '#src/screens/bet/bet-sheet.tsx'

/** One bet. Only the order number is read from the address; the rest comes from the server. */
export function BetScreen() {
  const t = useText()
  const orderNo = orderNoOfItem(useRouteQuery('bet').item)
  return (
    <Screen title={t('bet.title')} back>
      {orderNo === null ? <NoSuchBet /> : <LoadedBet orderNo={orderNo} />}
    </Screen>
  )
}

function LoadedBet({ orderNo }: { orderNo: string }) {
  const bet = useQuery(fullBetQuery(orderNo))
  return (
    <Loaded query={bet} skeleton={<Skeletons heights={[168]} rows={6} />}>
      {(found) => (found ? <BetSheet bet={found} /> : <NoSuchBet />)}
    </Loaded>
  )
}

function NoSuchBet() {
  const t = useText()
  return <EmptyState icon="search" title={t('bet.unknown')} hint={t('bet.unknownHint')} />
}

import { useQuery } from '@tanstack/react-query'
import { chainsQuery, type SeedChain } from '#src/data/fairness.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { GameLogo, gameCode } from '#src/features/game-logo.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { useText } from '#src/i18n/text.ts'
import { momentText } from '#src/i18n/time-text.ts'
import { Card } from '#src/parts/card.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/fairness/fairness.module.css'
import { Part } from '#src/screens/fairness/part.tsx'

/** All seed chains with their commitments, to be copied. */
export function SeedChains() {
  const t = useText()
  const chains = useQuery(chainsQuery)
  return (
    <Part title={t('chains.title')} lead={t('chains.hint')}>
      <Loaded
        query={chains}
        skeleton={<SkeletonRows count={4} />}
        empty={(list) => list.length === 0 && { title: t('chains.none') }}
      >
        {(list) => (
          <Card kind="rows">
            <ul>
              {list.toSorted(byGame).map((chain) => (
                <li key={chain.id}>
                  <ChainRow chain={chain} />
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Loaded>
    </Part>
  )
}

function byGame(one: SeedChain, other: SeedChain): number {
  return one.gameId - other.gameId || one.id - other.id
}

function ChainRow({ chain }: { chain: SeedChain }) {
  const t = useText()
  const when = useTimeFormat()
  const game = gameCode(chain.gameId)
  const count = new Intl.NumberFormat(when.tag)
  return (
    <div className={`marked ${styles.chain}`} data-game={game}>
      {game && <GameLogo game={game} size={32} />}
      <div className="grow">
        <b>{t('chains.name', { id: chain.id })}</b>
        <p className="quiet">
          {t('chains.since', { moment: momentText(chain.committedAt, when) })}
        </p>
        <p className="quiet">
          {t('chains.used', {
            used: count.format(chain.used),
            length: count.format(chain.length),
          })}
        </p>
        <code className={styles.fingerprint}>{chain.commitment}</code>
      </div>
      <CopyButton
        small
        value={chain.commitment}
        label={t('copy.label', { what: t('chains.fingerprint', { id: chain.id }) })}
      />
    </div>
  )
}

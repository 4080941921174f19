import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { gamesQuery } from '#src/data/games.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { useText } from '#src/i18n/text.ts'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/fairness/fairness.module.css'

type PartProps = {
  title: string
  lead?: string
  game?: string | undefined
  children: ReactNode
}

export function Part({ title, lead, game, children }: PartProps) {
  const id = useId()
  return (
    <section className="stack-3 shrink" aria-labelledby={id} data-game={game}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      {lead && <p className="inset ink-2">{lead}</p>}
      {children}
    </section>
  )
}

type GamePillsProps = { chosen: number; onChoose: (gameId: number) => void }

export function GamePills({ chosen, onChoose }: GamePillsProps) {
  const t = useText()
  const games = useQuery(gamesQuery)
  return (
    <Loaded query={games} skeleton={<Skeleton height={44} />}>
      {(list) => (
        <ChoicePills
          kind="grid"
          label={t('check.game')}
          options={list.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(chosen)}
          onChange={(value) => onChoose(Number(value))}
        />
      )}
    </Loaded>
  )
}

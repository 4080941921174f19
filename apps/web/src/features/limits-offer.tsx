import { type ReactNode, useState } from 'react'
import { isOffered, type OfferMoment, offerAnswered } from '#src/data/newcomer.ts'
import { useText } from '#src/i18n/text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Button, buttonClass } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'

const WORDS = {
  registration: { title: 'offer.title', text: 'offer.text', yes: 'offer.set', to: 'limits' },
  passkey: {
    title: 'offer.passkeyTitle',
    text: 'offer.passkeyText',
    yes: 'offer.passkeyAdd',
    to: 'security',
  },
  deposit: {
    title: 'offer.depositTitle',
    text: 'offer.depositText',
    yes: 'offer.set',
    to: 'limits',
  },
} as const satisfies Record<OfferMoment, object>

/** Offers limits or a passkey, once at each place. Both answers look the same, and neither is preselected. */
export function LimitsOffer({ at }: { at: OfferMoment }) {
  const t = useText()
  const [shown, setShown] = useState(() => isOffered(at))
  if (!shown) return null

  function answer() {
    offerAnswered(at)
    setShown(false)
  }

  return (
    <OfferCard
      title={t(WORDS[at].title)}
      text={t(WORDS[at].text)}
      no={t('offer.skip')}
      onNo={answer}
    >
      <Link
        className={buttonClass({ kind: 'soft', size: 's' })}
        to={href(WORDS[at].to)}
        onClick={answer}
      >
        {t(WORDS[at].yes)}
      </Link>
    </OfferCard>
  )
}

type OfferCardProps = {
  title: string
  text: string
  no: string
  onNo: () => void
  /** The button that says yes; it looks as the other one does. */
  children: ReactNode
}

/** An offer with its two answers. */
export function OfferCard({ title, text, no, onNo, children }: OfferCardProps) {
  return (
    <Card className="stack-2" role="region" aria-label={title}>
      <h2>{title}</h2>
      <p className="quiet">{text}</p>
      <div className="halves">
        {children}
        <Button kind="soft" size="s" onClick={onNo}>
          {no}
        </Button>
      </div>
    </Card>
  )
}

import { useState } from 'react'
import { isOffered, type OfferMoment, offerAnswered } from '#src/data/newcomer.ts'
import { useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { Button, LinkButton } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'

const WORDS = {
  registration: { title: 'offer.title', text: 'offer.text', yes: 'offer.set', to: 'limits' },
  passkey: {
    title: 'offer.passkeyTitle',
    text: 'offer.passkeyText',
    yes: 'security.add',
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
  const words = WORDS[at]
  if (!shown) return null

  function answer() {
    offerAnswered(at)
    setShown(false)
  }

  return (
    <Card className="stack-2" role="region" aria-label={t(words.title)}>
      <h2>{t(words.title)}</h2>
      <p className="quiet">{t(words.text)}</p>
      <div className="halves">
        <LinkButton kind="soft" size="s" to={href(words.to)} onClick={answer}>
          {t(words.yes)}
        </LinkButton>
        <Button kind="soft" size="s" onClick={answer}>
          {t('offer.skip')}
        </Button>
      </div>
    </Card>
  )
}

import { labelsOfSum, sumOfDigits } from '@sum28/domain/digits.ts'
import { roundNumber } from '@sum28/domain/issues.ts'
import { languageOf } from '@sum28/ui/languages.ts'
import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import { useOnline } from '@sum28/ui/use-window-value.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { type Game, gamesQuery } from '#src/data/games.ts'
import { lineSpeedQuery, speedText } from '#src/data/line-speed.ts'
import { activeLine } from '#src/data/lines.ts'
import { useLiveGames } from '#src/data/live/use-channel.ts'
import { isOffered, keepTappedGame, showsFirstSteps } from '#src/data/newcomer.ts'
import { useSignedIn } from '#src/data/session-watch.ts'
import { AfterDraw, DrawTiles, VoidedWords } from '#src/features/draw-tiles.tsx'
import { GameLogo, gameCode } from '#src/features/game-logo.tsx'
import { ErrorState, Loaded, useShownInSteps } from '#src/features/loaded.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { Page } from '#src/features/page.tsx'
import { RoundRing, useClockWord, useRoundClock } from '#src/features/round-clock.tsx'
import { useLastKnownBalance } from '#src/features/use-balance.ts'
import { useSupport } from '#src/features/use-support.ts'
import { withAllTexts } from '#src/i18n/load.tsx'
import { useLocale, useText } from '#src/i18n/text.ts'
import { useArrival } from '#src/navigation/arrival.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { LinkButton } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { classNames } from '#src/parts/class-names.ts'
import { Icon, IconButton } from '#src/parts/icon.tsx'
import { lazyOverlay } from '#src/parts/lazy-overlay.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/home/home.module.css'
import { homeQuery, loadLaterParts } from '#src/screens/home/home.ts'

const Banners = lazyComponent(async () => (await loadLaterParts()).Banners)
const Winners = lazyComponent(async () => (await loadLaterParts()).Winners)
const HouseLinks = lazyComponent(async () => (await loadLaterParts()).HouseLinks)

/** The first screen: banners, games with their clocks, and winners. Public. */
export function HomeScreen() {
  const t = useText()
  const signedIn = useSignedIn()
  const home = useQuery(homeQuery)
  const games = useLiveGames()
  const shown = useShownInSteps(home.data !== undefined) ? home.data : undefined
  const waits = !shown && !home.isError
  const version = shown?.version
  useEffect(() => {
    loadLaterParts().catch(() => {})
  }, [])

  if (home.isLoadingError && games.isLoadingError) {
    const retry = () => {
      home.refetch()
      games.refetch()
    }
    return (
      <Page header={<HomeBar />}>
        <ErrorState error={games.error} onRetry={retry} />
      </Page>
    )
  }
  return (
    <Page header={<HomeBar />}>
      {signedIn ? <MemberPart /> : <StrangerPart game={games.data?.[0]} />}
      {(waits || Boolean(shown?.banners.length)) && (
        <Suspense fallback={<Skeleton height={136} />}>
          {shown ? <Banners banners={shown.banners} /> : <Skeleton height={136} />}
        </Suspense>
      )}
      {waits && <Skeleton height={20} width="48%" />}
      {version && (
        <p className="row-2 quiet inset num">
          <Icon name="bell" size={16} className="ink-accent" />
          <span>
            {t('home.version', { version: version.label })}
            {version.content && <span lang={version.lang}>{` · ${version.content}`}</span>}
          </span>
        </p>
      )}
      <Loaded query={games} skeleton={<GamesSkeleton />}>
        {(list) => (
          <section className={styles.games} aria-label={t('home.games')}>
            {list.map((game) => (
              <GameCard key={game.id} game={game} />
            ))}
          </section>
        )}
      </Loaded>
      <Loaded query={home} skeleton={<Skeleton height={284} />}>
        {({ winners }) => (
          <Suspense fallback={<Skeleton height={284} />}>
            <Winners winners={winners} onReload={() => home.refetch()} />
          </Suspense>
        )}
      </Loaded>
      {/* Not before what is above it has its height. */}
      {!waits && (
        <Suspense>
          <HouseLinks />
        </Suspense>
      )}
    </Page>
  )
}

function GamesSkeleton() {
  return (
    <div className={styles.games}>
      {[1, 2, 3, 4].map((game) => (
        <div key={game} className={styles.waiting}>
          <Skeleton height={149} />
        </div>
      ))}
    </div>
  )
}

function GameCard({ game }: { game: Game }) {
  const t = useText()
  const clockWord = useClockWord()
  const clock = useRoundClock(game, game.lastRoundId, game.lastVoided)
  const digits = game.lastDigits
  const labels = digits ? labelsOfSum(sumOfDigits(digits)).base : []
  return (
    <Link
      className={styles.game}
      data-game={gameCode(game.id)}
      to={href('hall', { game: String(game.id) })}
      onClick={() => keepTappedGame(game)}
    >
      <span className={styles.gameTop}>
        <GameLogo game={gameCode(game.id)} />
        <b className="grow bold">{game.name}</b>
        {clock.to !== null && <RoundRing size="s" clock={clock} />}
      </span>
      <span className={styles.gameRound}>
        <span>
          {clock.drawing || game.lastRoundId
            ? t('round.number', { round: roundNumber(clock.drawing ?? game.lastRoundId) })
            : t('draw.none')}
        </span>
        {clock.to !== 'seal' && <b className="strong ink-warn">{clockWord(clock)}</b>}
      </span>
      <DrawTiles
        digits={digits}
        voided={game.lastVoided}
        size="s"
        waiting={clock.drawing ? t('round.drawing') : undefined}
        reveal={clock.reveal}
      />
      <span className={styles.gameTags}>
        <AfterDraw reveal={clock.reveal}>
          {game.lastVoided && !clock.drawing && <VoidedWords />}
          <OutcomeTags outcomes={clock.drawing ? [] : labels} />
        </AfterDraw>
      </span>
    </Link>
  )
}

function StrangerPart({ game }: { game: Game | undefined }) {
  const t = useText()
  return (
    <Card className="grid-3">
      {game ? <LiveDraw game={game} /> : <Skeleton height={84} />}
      <p>{t('home.what')}</p>
      <div className="halves">
        <LinkButton wide to={href('register')}>
          {t('home.register')}
        </LinkButton>
        <LinkButton kind="soft" wide to={href('login')}>
          {t('home.logIn')}
        </LinkButton>
      </div>
      {game && <WatchLink game={game} />}
    </Card>
  )
}

/** Leads to a room of a game in which betting is possible, or to its first one. */
function WatchLink({ game }: { game: Game }) {
  const t = useText()
  const room = game.rooms.find(({ status }) => status === 'runs') ?? game.rooms[0]
  if (!room) return null
  return (
    <LinkButton
      kind="plain"
      size="s"
      to={href('watch', { id: String(room.id), game_id: String(game.id) })}
      onClick={() => keepTappedGame(game)}
    >
      {t('home.watch')}
      <Icon name="forward" size={18} />
    </LinkButton>
  )
}

function LiveDraw({ game }: { game: Game }) {
  const t = useText()
  const clock = useRoundClock(game, game.lastRoundId, game.lastVoided)
  return (
    <div className="grid-3 middle" data-game={gameCode(game.id)}>
      <span className="row-2 full">
        <GameLogo game={gameCode(game.id)} />
        <b className="grow">{t('home.live', { game: game.name })}</b>
        <RoundRing size="m" clock={clock} />
      </span>
      <DrawTiles
        digits={game.lastDigits}
        voided={game.lastVoided}
        size="l"
        waiting={clock.drawing ? t('round.drawing') : undefined}
        reveal={clock.reveal}
      />
      {game.lastVoided && !clock.drawing && <VoidedWords />}
    </div>
  )
}

const FirstSteps = lazyComponent(async () => {
  return withAllTexts((await import('#src/screens/home/first-steps.tsx')).FirstSteps)
})

const LimitsOffer = lazyComponent(async () => {
  return withAllTexts((await import('#src/features/limits-offer.tsx')).LimitsOffer)
})

function MemberPart() {
  const t = useText()
  const offer = (['registration', 'passkey'] as const).find(isOffered)
  return (
    <>
      <Link className="surface tap-row spread-3 wrap row-space" to={href('me')}>
        <span className="quiet">{t('home.balance')}</span>
        <Balance />
      </Link>
      {offer && (
        <Suspense>
          <LimitsOffer key={offer} at={offer} />
        </Suspense>
      )}
      {showsFirstSteps() && (
        <Suspense>
          <FirstSteps />
        </Suspense>
      )}
    </>
  )
}

function Balance() {
  return <AmountText className="bold push" value={useLastKnownBalance()} />
}

const LineSheet = lazyOverlay(async () =>
  withAllTexts((await import('#src/features/line-sheet.tsx')).LineSheet),
)

function HomeBar() {
  const t = useText()
  const { locale } = useLocale()
  const { openSupport } = useSupport()
  const heading = useRef<HTMLHeadingElement>(null)
  useArrival(t('tab.home'), heading)
  const [open, setOpen] = useState(false)
  useQuery(configQuery)
  const line = activeLine()
  const speed = useQuery(lineSpeedQuery(line))
  // While the stream is cut the games are asked for again and again: they tell whether the server is there.
  const games = useQuery(gamesQuery)
  const isAway = !useOnline() || speed.isError || games.isError
  const state = isAway ? 'away' : speed.data === undefined ? 'asking' : 'there'

  return (
    <header className={styles.bar}>
      <h1 className="unseen" ref={heading} tabIndex={-1}>
        {t('tab.home')}
      </h1>
      <button type="button" className={styles.lineChip} onClick={() => setOpen(true)}>
        <i className={styles.lineDot} data-state={state} />
        <span className={classNames(styles.lineWords, 'num')}>
          <span>{t('line.name', { number: line + 1 })}</span>{' '}
          {state !== 'asking' && (
            <span className="nowrap quiet">
              {state === 'there' ? speedText(t, speed.data ?? 0) : t('line.away')}
            </span>
          )}
        </span>
      </button>
      <span className="grow" />
      <IconButton icon="chat" label={t('support.title')} onPress={openSupport} />
      <Link className={classNames(styles.lineChip, 'fixed')} to={href('language')}>
        <span className="unseen">{t('home.language')}: </span>
        {languageOf(locale)?.name}
      </Link>
      <LineSheet open={open} onClose={() => setOpen(false)} />
    </header>
  )
}

import { Card, Stack, Typography } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import * as wire from '@sum28/contract/staff-protection-routes.ts'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { type Column, PartHeading, PlayerTable } from '#src/areas/players/player-table.tsx'
import { DayText, SignFacts } from '#src/areas/players/signs.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { MomentText } from '#src/parts/values.tsx'

type Contact = ReplyOf<typeof wire.playerContacts>['list'][number]

/** Early signs of harm, accounts similar to the player's, and contacts with him. */
export function PlayerProtection({ playerId }: { playerId: number }) {
  const translate = useTranslate()
  const likenessColumns = useLikenessColumns()
  const contactColumns = useContactColumns()
  const signs = useReply(wire.listSigns, { user_id: playerId })
  const channels = ['phone', 'mail', 'chat'].map((value) => ({
    value,
    label: `areas.players.channel.${value}`,
  }))
  return (
    <Stack sx={{ gap: 2, paddingTop: 2 }}>
      <PartHeading part="signs" />
      <Loaded answer={signs}>
        {({ list }) =>
          list.length === 0 ? (
            <Typography color="textSecondary">{translate('areas.players.noSigns')}</Typography>
          ) : (
            <Stack sx={{ gap: 1 }}>
              {list.map((sign) => (
                <Card key={sign.kind} variant="outlined" sx={{ padding: 1.5 }}>
                  <Typography sx={{ fontWeight: 'var(--weight-bold)' }}>
                    {translate(`areas.players.sign.${sign.kind}`)}
                  </Typography>
                  <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1 }}>
                    {translate(`areas.players.signMeans.${sign.kind}`)}
                  </Typography>
                  <SignFacts sign={sign} />
                </Card>
              ))}
            </Stack>
          )
        }
      </Loaded>
      <PartHeading part="likenesses" />
      <PlayerTable
        part="likenesses"
        {...{ playerId, route: wire.listLikenesses, columns: likenessColumns }}
        keyOf={({ id }: wire.Likeness) => id}
      />
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center' }}>
        <PartHeading part="contacts" />
        <ActionButton
          route={wire.addContact}
          request={{ user_id: playerId }}
          label="areas.players.addContact"
          done="areas.players.contactAdded"
          fields={[
            {
              name: 'channel',
              label: 'areas.players.channelLabel',
              choices: channels,
              initial: 'phone',
            },
            {
              name: 'day',
              label: 'areas.players.contactDay',
              optional: true,
              hint: 'areas.players.contactDayHint',
            },
            { name: 'text', label: 'areas.players.contactText', long: true },
          ]}
        />
      </Stack>
      <PlayerTable
        part="contacts"
        {...{ playerId, route: wire.playerContacts, columns: contactColumns }}
        keyOf={({ id }: Contact) => id}
      />
    </Stack>
  )
}

function useLikenessColumns(): Column<wire.Likeness>[] {
  const translate = useTranslate()
  const account = (id: number, name: string) => <Link to={`/players/${id}/show`}>{name}</Link>
  return [
    { name: 'account', show: (row) => account(row.user_id, row.username) },
    { name: 'like', show: (row) => account(row.like_user_id, row.like_username) },
    { name: 'likeIn', show: (row) => translate(`areas.players.likeIn.${row.like_in}`) },
    { name: 'at', show: (row) => <MomentText at={row.found_at} /> },
    { name: 'state', show: (row) => translate(`areas.players.likenessState.${row.state}`) },
    { name: 'reason', show: (row) => row.reason },
  ]
}

function useContactColumns(): Column<Contact>[] {
  const translate = useTranslate()
  return [
    { name: 'day', show: ({ day }) => <DayText day={day} /> },
    { name: 'channel', show: ({ channel }) => translate(`areas.players.channel.${channel}`) },
    { name: 'staff', show: ({ by }) => by },
    { name: 'at', show: ({ written_at: at }) => <MomentText at={at} /> },
    { name: 'note', show: ({ text }) => text },
  ]
}

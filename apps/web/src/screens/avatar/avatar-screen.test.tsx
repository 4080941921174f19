import { saveProfile } from '@sum28/contract/user-routes.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { leaveFor, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { PROFILE } from '#src/testing/usual-replies.ts'

const server = useMockServer()

it.each([false, true])(
  'a picture is saved, and the player goes back; if he has left: %s',
  async (left) => {
    const goes = vi.spyOn(history, 'go').mockReturnValue()
    server().answer(saveProfile, { ...PROFILE, avatar: 'preset:2' })
    const comes = server().hold(saveProfile)
    const { person } = await showApp(href('me'))
    await leaveFor(href('avatar'))
    await person.click(await screen.findByRole('radio', { name: /2/ }))
    await person.click(screen.getByRole('button', { name: 'Use this avatar' }))
    await waitFor(() => expect(server().requestsOf(saveProfile)).toHaveLength(1))
    if (left) await leaveFor(href('me'))
    await act(async () => comes())
    await screen.findByText('Avatar saved')
    expect(goes).toHaveBeenCalledTimes(left ? 0 : 1)
  },
)

/**
 * Goal: there is no call for actions that players must not be able to do. Method: a hand-written list of
 * every call of the player API that changes something; a new one fails the test until it is
 * reviewed.
 */
import { expect, it } from 'vitest'
import { ALL_ROUTES } from './all-routes.ts'
import { playOrder } from './lottery-routes.ts'
import { withdrawAction } from './money-routes.ts'

const READING = new Set(['read', 'poll', 'own_poll', 'export'])

it('players can change only this: no call takes a withdrawal back or moves money to another player', () => {
  const changing = ALL_ROUTES.filter(({ rate }) => !READING.has(rate)).map(({ path }) => path)
  expect(changing.sort()).toEqual(
    [
      ...['/api/Common/upload', '/api/Lottery/playOrder', '/api/ems/send'],
      ...[
        '/api/protection/setLimit',
        '/api/protection/confirmLimit',
        '/api/protection/acknowledge',
      ],
      ...['/api/protection/setRealityCheck', '/api/protection/takeBreak'],
      ...['/api/protection/askReturn', '/api/protection/askBack'],
      ...['/api/user/askOwnData', '/api/user/closeAccount'],
      ...['/api/user/login', '/api/user/logout', '/api/user/newPass', '/api/user/profile'],
      ...['/api/user/passkeyLogin', '/api/user/prove'],
      ...['/api/user/addPasskey', '/api/user/removePasskey'],
      ...['/api/user/identityPicture', '/api/user/clearIdentityPictures', '/api/user/sendIdentity'],
      ...['/api/user/endDevice', '/api/user/endOtherDevices', '/api/user/takeBack'],
      ...['/api/user/switchFactorOn', '/api/user/switchFactorOff', '/api/user/newRecoveryCodes'],
      ...['/api/user/mailAddressCodes', '/api/user/changeAddress'],
      ...['/api/user/subscribePush', '/api/user/unsubscribePush', '/api/user/choosePush'],
      ...['/api/user/refresh', '/api/user/register', '/api/user/resetpwd'],
      ...['/api/user/setPayInfo', '/api/user/setSafety', '/api/user/withdrawAction'],
    ].sort(),
  )
})

it('a withdrawal names no other player, only one of the player’s own methods', () => {
  const fields = Object.keys(withdrawAction.request.shape)
  expect(fields.filter((field) => /user|player|account|to/i.test(field))).toEqual([])
  expect(fields).toContain('pay_id')
})

it('one call places one order in one round: nothing repeats it or continues by itself', () => {
  expect(Object.keys(playOrder.request.shape).sort()).toEqual([
    'follow_id',
    'game_id',
    'issue',
    'money',
    'plan_id',
    'play_type',
    'rules_version',
  ])
})

/** /api/fairness: the public data to check a draw. */
import * as z from 'zod/mini'
import { id, issue } from './fields.ts'
import { publishedChain, publishedRound } from './receipt.ts'
import { defineRoute } from './route.ts'

export const chains = defineRoute({
  method: 'GET',
  path: '/api/fairness/chains',
  summary: 'The seed chains of all games with their commitments, oldest first',
  auth: 'none',
  rate: 'read',
  request: z.object({}),
  reply: z.array(publishedChain),
})

export const fairnessRound = defineRoute({
  method: 'GET',
  path: '/api/fairness/round',
  summary: 'What decided a round, or will decide it: for checking its draw',
  auth: 'none',
  rate: 'read',
  request: z.object({ game_id: id, issue }),
  reply: publishedRound,
})

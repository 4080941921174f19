/** The setting WITNESSES: who signs, with their own clocks, that the public log only grows. */
import { readVerifierKey, type VerifierKey } from '@sum28/fairness/signed-note.ts'
import * as z from 'zod'
import { baseUrl, commaList, withoutSlash } from '#src/formats/setting-kinds.ts'

/** A witness that the operator names: its key, and where it takes checkpoints. */
export type WitnessAddress = { readonly key: VerifierKey; readonly url: string }

const NOT_ONE =
  'must be keys of witnesses (Ed25519, type 4) with their addresses: name+id+key@https://witness.example'

export const witnessVariables = {
  WITNESSES: z
    .string()
    .default('')
    .transform((text, context) =>
      commaList(text).map((each): WitnessAddress => {
        const [, text = '', url = ''] = /^(.+)@(https?:\/\/.+)$/.exec(each) ?? []
        const key = readVerifierKey(text)
        if (key?.type === 'witness' && baseUrl.safeParse(url).success) {
          return { key, url: withoutSlash(url) }
        }
        context.addIssue({ code: 'custom', message: NOT_ONE })
        return z.NEVER
      }),
    ),
}

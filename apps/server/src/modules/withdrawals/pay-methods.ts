/** Where a player's withdrawals may be paid to: one bank card and one virtual wallet. */
import { bareCardNumber, cardNumberFault } from '@sum28/domain/card-number.ts'
import { tronAddressBytes } from '#src/adapters/chain/tron-address.ts'
import { callFunction, type Database, type Queryable, type Transaction } from '#src/db/database.ts'
import type { SecretColumn } from '#src/db/reencryption.ts'
import { countOfDay } from '#src/modules/accounts/count-store.ts'
import type { NoteMark } from '#src/modules/accounts/note-mark.ts'
import { isDepositAddress, isHouseAddress } from '#src/modules/deposits/deposit-store.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { isRefusal, malformed, type Refusal } from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

export type PayMethodInput = {
  kind: PayMethodKind
  /** Card number, with or without spaces and dashes, or wallet address. */
  number: string
  label: string
  bankName: string
  branchCode: string
  branchName: string
  note: string
}

export const METHOD_CHANGES_A_DAY = 20

const SHOWN_DIGITS = 4

const MARK_OF = { bank: 'card', wallet: 'wallet' } as const

/** Accounts with fewer digits are numbered by each bank, or each of its branches, from the beginning. */
const DIGITS_OF_ONE_OWNER = 10

/** What identifies the owner of a method: its number, and of a short account also the bank and the branch. */
export function payeeMark(
  { kind, bankName, branchCode }: Pick<PayMethod, 'kind' | 'bankName' | 'branchCode'>,
  number: string,
): { kind: 'card' | 'wallet'; value: string } {
  const isOfOne = kind === 'wallet' || number.length >= DIGITS_OF_ONE_OWNER
  const bank = `${bankName} ${branchCode}`.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')
  return { kind: MARK_OF[kind], value: isOfOne ? number : `${number} ${bank}` }
}

/** The context of a number's encryption: in another player's row, or another method's, it cannot be decrypted. */
function purposeOf({ playerId, id }: Owned): string {
  return `pay method ${id} of ${playerId}`
}

type Owned = { id: number; playerId: number }

/** Why no player is paid to this address: it is none, or money that is sent there is lost, or would be the house's own. */
export async function walletFault(
  db: Queryable,
  address: string,
  usdtContract: string,
): Promise<'tron_address' | 'tron_not_a_wallet' | null> {
  const bytes = tronAddressBytes(address)
  if (bytes === null) return 'tron_address'
  const isNobodys = bytes.subarray(1).every((byte) => byte === 0)
  const isOurs = (await isDepositAddress(db, address)) || (await isHouseAddress(db, address))
  return address === usdtContract || isNobodys || isOurs ? 'tron_not_a_wallet' : null
}

/** The number in its stored form, or why it is invalid. */
async function readNumber(
  db: Queryable,
  { kind, number }: PayMethodInput,
  usdtContract: string,
): Promise<string | Refusal> {
  if (kind === 'wallet') {
    const fault = await walletFault(db, number, usdtContract)
    return fault ? malformed({ acc: fault }) : number
  }
  if (cardNumberFault(number) === 'length') return malformed({ acc_name: 'card_length' })
  return bareCardNumber(number)
}

/**
 * Saves a pay method, which replaces the present one of its kind, and holds withdrawals afterwards. If it has the
 * same destination as the present one, only its note changes, without a hold or a notification.
 *
 * @param request `network`: the caller's, as `networkOf` names it
 * @returns the present method, or malformed input by its wire field, or too_many_numbers, or too_many_requests
 */
export async function savePayMethod(
  { db, ...deps }: SavingDeps & { db: Database },
  request: MethodRequest & { network: string },
): Promise<PayMethod | Refusal> {
  const saved = await db.transaction((tx) => savePayMethodIn(tx, deps, request))
  const isTried =
    isRefusal(saved) && request.kind === 'wallet' && saved.faults?.acc !== 'tron_address'
  if (!isTried) return saved
  // Counted although it is refused, whatever the reason, or somebody could ask without limit which addresses are players'
  // deposit addresses.
  return (await countOfDay(db, changesOf(request.playerId))) ?? saved
}

function changesOf(playerId: number) {
  return { playerId, event: 'pay methods', max: METHOD_CHANGES_A_DAY }
}

type SavingDeps = { cipher: SecretCipher; noteMark: NoteMark; usdtContract: string }
type MethodRequest = PayMethodInput & { playerId: number; network?: string }

/** The same within a transaction; without a network for staff, who save what the player named to them. */
export async function savePayMethodIn(
  tx: Transaction,
  { cipher, noteMark, usdtContract }: SavingDeps,
  { playerId, network, ...input }: MethodRequest,
): Promise<PayMethod | Refusal> {
  const number = await readNumber(tx, input, usdtContract)
  if (isRefusal(number)) return number
  if (input.kind === 'bank' && !input.bankName) return malformed({ acc_bank: 'required' })

  await lockPayMethods(tx, playerId)
  const before = (await payMethodsOf(tx, playerId)).find(({ kind }) => kind === input.kind)
  if (before && isSame(before, input) && decryptNumber(cipher, playerId, before) === number) {
    const { note } = input
    const change = 'update withdrawals.pay_method set note = $2 where id = $1'
    if (note !== before.note) await tx.query(change, [before.id, note])
    return { ...before, note }
  }
  // Reserved first: the number is encrypted for this id only.
  const next = `select nextval('withdrawals.pay_method_id_seq')::integer`
  const owned: Owned = { id: await tx.value<number>(next), playerId }
  const method = {
    ...owned,
    kind: input.kind,
    encryptedNumber: cipher.encrypt(Buffer.from(number), purposeOf(owned)),
    keyId: cipher.keyId,
    shownNumber: shownOf(input.kind, number),
    label: input.label,
    bankName: input.bankName,
    branchCode: input.branchCode,
    branchName: input.branchName,
    note: input.note,
  }
  await callFunction(
    ...[tx, 'withdrawals.add_pay_method', method.id, playerId, method.kind, method.encryptedNumber],
    ...[method.keyId, method.shownNumber, method.label, method.bankName, method.branchCode],
    ...[method.branchName, method.note],
  )
  const mark = { playerId, ...payeeMark(method, number) }
  const refused = await noteMark(tx, network === undefined ? mark : { ...mark, network })
  if (refused) return refused
  if (network !== undefined) {
    const tooMany = await countOfDay(tx, changesOf(playerId))
    if (tooMany) return tooMany
  }
  await notify(tx, { playerId, kind: 'pay_method_changed', facts: { payee: payeeText(method) } })
  return method
}

function isSame(before: PayMethod, input: PayMethodInput): boolean {
  return (['label', 'bankName', 'branchCode', 'branchName'] as const).every(
    (field) => before[field] === input[field],
  )
}

/** The whole number of a pay method, for the member of staff who pays; none for an anonymised account. */
export function decryptNumber(
  cipher: SecretCipher,
  playerId: number,
  method: Pick<PayMethod, 'id' | 'encryptedNumber' | 'keyId'>,
): string {
  const { encryptedNumber, keyId } = method
  if (encryptedNumber.length === 0) return ''
  return cipher.decrypt(encryptedNumber, purposeOf({ ...method, playerId }), keyId).toString()
}

/** What may be shown of a number: a card's last digits, a whole wallet. */
function shownOf(kind: PayMethodKind, number: string): string {
  return kind === 'wallet' || number === '' ? number : `•••• ${number.slice(-SHOWN_DIGITS)}`
}

/**
 * The whole number that is paid to. Throws if it is not the one that its player, and those who approved, were shown: a
 * process that encrypts numbers again could have put another in its place.
 */
export async function payeeNumber(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  payMethodId: number,
): Promise<string> {
  const method = await payMethodById(db, payMethodId)
  if (!method) throw new Error(`the pay method ${payMethodId} of a withdrawal is gone`)
  const number = decryptNumber(cipher, method.playerId, method)
  if (shownOf(method.kind, number) !== method.shownNumber) {
    throw new Error(
      `the number of the pay method ${payMethodId} is not the one that is shown: pay nothing to it`,
    )
  }
  return number
}

/** A pay method within a sentence: `Bank of Hanoi •••• 4242`, `TUEZ…GWYdH`. */
export function payeeText({
  bankName,
  ...method
}: Pick<PayMethod, 'kind' | 'shownNumber' | 'bankName'>): string {
  return method.kind === 'bank' ? `${apart(bankName)} ${method.shownNumber}` : shortNumber(method)
}

/** A name that is written from right to left would turn the number after it. */
function apart(name: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(name) ? `\u2068${name}\u2069` : name
}

/** A pay method's number for all who read of its player: no wallet is paid by it. */
export function shortNumber({
  kind,
  shownNumber,
}: Pick<PayMethod, 'kind' | 'shownNumber'>): string {
  const isWhole = kind === 'wallet' && shownNumber !== ''
  return isWhole ? `${shownNumber.slice(0, 4)}…${shownNumber.slice(-5)}` : shownNumber
}

export const PAYEE_NUMBERS: SecretColumn = {
  name: 'pay_method',
  table: 'withdrawals.pay_method',
  id: 'id',
  owner: 'player_id',
  secret: 'encrypted_number',
  keyId: 'key_id',
  pastKeys: 'past_keys',
  purposeOf: ({ id, owner }) => purposeOf({ id, playerId: Number(owner) }),
}

export type PayMethodKind = 'bank' | 'wallet'

export type PayMethod = {
  id: number
  kind: PayMethodKind
  encryptedNumber: Buffer
  keyId: string
  /** A card's last four digits, the rest masked; a wallet's whole address. */
  shownNumber: string
  /** Bank: the holder. Wallet: its type. */
  label: string
  bankName: string
  branchCode: string
  branchName: string
  note: string
}

const PAY_METHOD = `id, kind, encrypted_number as "encryptedNumber", key_id as "keyId",
  note, shown_number as "shownNumber", label, bank_name as "bankName", branch_code as "branchCode",
  branch_name as "branchName"`

export function payMethodsOf(db: Queryable, playerId: number): Promise<PayMethod[]> {
  return db.query<PayMethod>(
    `select ${PAY_METHOD} from withdrawals.pay_method
     where player_id = $1 and replaced_at is null order by kind desc`,
    [playerId],
  )
}

/** A pay method by its id, also a replaced one: a withdrawal may refer to it. */
export function payMethodById(
  db: Queryable,
  id: number,
): Promise<(PayMethod & { playerId: number }) | undefined> {
  return db.first<PayMethod & { playerId: number }>(
    `select ${PAY_METHOD}, player_id as "playerId" from withdrawals.pay_method where id = $1`,
    [id],
  )
}

/** All pay methods that these players have had, including replaced ones, and none of an anonymised account. */
export function payMethodsEver(
  db: Queryable,
  players: readonly number[],
): Promise<(PayMethod & { playerId: number })[]> {
  return db.query(
    `select ${PAY_METHOD}, player_id as "playerId" from withdrawals.pay_method
     where player_id = any ($1) and encrypted_number <> ''`,
    [players],
  )
}

/** Serialises changes of one player's pay methods until the transaction ends. */
export async function lockPayMethods(tx: Transaction, playerId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('pay methods'), $1)`, [playerId])
}

import { secretCipher } from '#src/secrets/secret-cipher.ts'

/** The keys of the processes that tests start, and of their databases' logins. Without a comma, as they are lists. */
export const SECRET_KEY = 'a key for tests of more than 32 characters'
export const SEED_KEY = 'a key of seeds for tests of more than 32 characters'

export const CIPHER = secretCipher(SECRET_KEY)

export const LOGIN_KEYS = { secretKey: SECRET_KEY, seedKey: SEED_KEY }

/** The SECRET_KEY of the processes that tests start, and of their databases' role. Without a comma, as a list may hold it. */
export const SECRET_KEY = 'a key for tests of more than 32 characters'

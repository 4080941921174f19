/** Limits of time that the server sets and a page counts too. The modules of routes export nothing but routes. */

/** How long an address waits for another code. */
export const SECONDS_BETWEEN_CODES = 60

/** How long a device is remembered: the server's cookie, and what the page keeps beside it. */
export const REMEMBER_DAYS = 14

/** Game days that theory and fact of returns are compared over. */
export const RETURN_DAYS = [1, 30, 365] as const

/** Closed books that were asked for lately: one is built once for all receipts of its round. */
import { type ClosedBook, closeBook } from '@sum28/fairness/closed-book.ts'
import type { Queryable } from '#src/db/database.ts'
import { leavesOfRound } from './bet-store.ts'
import { leafText } from './close-book.ts'

export type ReadBook = (round: { gameId: number; issue: string }) => Promise<BookWithPlaces>

export type BookWithPlaces = {
  book: ClosedBook
  /** By order number, from 0. */
  places: ReadonlyMap<string, number>
}

/** How many are kept. After a draw players ask for the receipts of four rounds, one a game. */
const KEPT = 8

/** Reads the books of rounds that are closed already, and so never change. */
export function closedBooks(db: Queryable): ReadBook {
  const books = new Map<string, Promise<BookWithPlaces>>()
  return (round) => {
    const name = `${round.gameId} ${round.issue}`
    const book = books.get(name) ?? readBook(db, round)
    // Put last: the first of a Map is the one that has not been asked for longest.
    books.delete(name)
    books.set(name, book)
    book.catch(() => books.delete(name))
    const [oldest] = books.keys()
    if (books.size > KEPT && oldest !== undefined) books.delete(oldest)
    return book
  }
}

async function readBook(
  db: Queryable,
  round: { gameId: number; issue: string },
): Promise<BookWithPlaces> {
  const leaves = await leavesOfRound(db, round)
  return {
    book: closeBook(leaves.map(leafText)),
    places: new Map(leaves.map(({ orderNo }, place) => [orderNo, place])),
  }
}

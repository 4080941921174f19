import styles from './start-page.module.css'

/** The console's first page, until staff can sign in to it. */
export function StartPage() {
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>Sum28 console</h1>
      <p className={styles.text}>
        Players, deposits, withdrawals, rounds and reports will be run from here. Staff cannot sign
        in yet: this page holds the console’s place.
      </p>
    </main>
  )
}

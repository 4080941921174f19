import styles from '#src/features/grouped-address.module.css'

/** A wallet's address in groups of four, easy to compare; it still copies as one word. */
export function GroupedAddress({ address }: { address: string }) {
  return (
    <span className={styles.address} translate="no">
      {(address.match(/.{1,4}/g) ?? []).map((group, at) => (
        <span key={`${at}-${group}`}>{group}</span>
      ))}
    </span>
  )
}

/**
 * Why the product cannot start: one sentence for the user at the terminal that names the cause and what to do. The
 * code that catches it prints only `message`.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** The `code` of a system error such as `EACCES`, or an empty string for anything else. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return ''
}

/** The message for a folder in which a file or folder could not be made. */
export function unwritableFolder({
  folder,
  cause,
}: {
  folder: string
  cause: unknown
}): StartError {
  const code = systemCode(cause)
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(folder)
  const reason =
    code === 'EROFS'
      ? 'it lies on a file system that is read-only'
      : code === 'ENOTDIR' || code === 'EEXIST'
        ? 'a file of that name stands in its way'
        : code === 'EACCES' || code === 'EPERM'
          ? 'it belongs to another user or is closed to this one'
          : cause instanceof Error
            ? cause.message
            : String(cause)
  return new StartError(
    `The data folder ${folder} cannot be written (${reason}): change its permissions, or name another folder with DATA_DIR.`,
    { cause },
  )
}

export function reportsDiskFull(output: string): boolean {
  return /No space left on device|Disk quota exceeded|could not extend file/.test(output)
}

export function diskFull(folder: string): StartError {
  return new StartError(
    `The disk that holds the data folder ${folder} is full: free at least 200 MB, or name a folder on another disk with DATA_DIR.`,
  )
}

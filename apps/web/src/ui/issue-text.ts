/** The part of a round's number that counts within its day: `20261121316` → `316`. */
export function shortIssue(issue: string): string {
  return /^\d{11,}$/.test(issue) ? issue.slice(8) : issue
}

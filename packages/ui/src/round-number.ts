/** A round's number within its day: `20261120138` → `138`. */
export function roundNumber(issue: string): string {
  return issue.slice(8) || issue
}

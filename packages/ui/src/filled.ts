/** A rule that a field must hold more than spaces; `hint` says so. */
export function filled(hint: string): (value: string) => true | string {
  return (value) => value.trim() !== '' || hint
}

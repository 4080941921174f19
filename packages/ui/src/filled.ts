/** A form rule: the field must have more than spaces. `hint` is its message. */
export function filled(hint: string): (value: string) => true | string {
  return (value) => value.trim() !== '' || hint
}

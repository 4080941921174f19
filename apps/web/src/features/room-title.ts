import type { Room } from '#src/data/games.ts'
import { useText } from '#src/i18n/text.ts'

const TYPES = [
  { standard: 'Basic', word: 'roomType.basic' },
  { standard: 'Senior', word: 'roomType.senior' },
  { standard: 'Master', word: 'roomType.master' },
  { standard: 'Expert', word: 'roomType.expert' },
] as const

/**
 * A room's name: the word for its type in the present language, or the operator's name if he
 * changed it. Without a type, the name decides.
 */
export function useRoomTitle(): (room: { title: string; type?: Room['type'] }) => string {
  const t = useText()
  return ({ title, type }) => {
    const roomType =
      type === undefined ? TYPES.find(({ standard }) => standard === title) : TYPES[type]
    return roomType && title === roomType.standard ? t(roomType.word) : title
  }
}

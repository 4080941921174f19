import { OPENED_KEY, useNavigate, usePlace } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'

/** Returns to the previous screen, or to home if there is none. */
export function useGoBack(): () => void {
  const navigate = useNavigate()
  const first = usePlace().key === OPENED_KEY
  return () => (first ? navigate(href('home'), { replace: true }) : navigate(-1))
}

import { useLocation, useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'

/** Goes to the screen before; home, where the visit began with this one. */
export function useGoBack(): () => void {
  const navigate = useNavigate()
  const first = useLocation().key === 'default'
  return () => (first ? navigate(href('home'), { replace: true }) : navigate(-1))
}

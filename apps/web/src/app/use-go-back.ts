import { useLocation, useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'

/** Returns to the previous screen, or to home if there is none. */
export function useGoBack(): () => void {
  const navigate = useNavigate()
  const first = useLocation().key === 'default'
  return () => (first ? navigate(href('home'), { replace: true }) : navigate(-1))
}

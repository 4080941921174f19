import { type ComponentType, createContext, type ReactNode, use } from 'react'

export type LinkProps = {
  to: string
  className?: string | undefined
  children: ReactNode
  [data: `data-${string}`]: unknown
}

/** The app's own link component; without a provider, a link loads a page. */
export const LinkContext = createContext<ComponentType<LinkProps>>(({ to, ...props }) => (
  <a href={to} {...props} />
))

/** A link to a screen of the app. */
export function Link(props: LinkProps) {
  const AppLink = use(LinkContext)
  // biome-ignore lint/nursery/useReactCompiler: the app's own link, which stays the same
  return <AppLink {...props} />
}

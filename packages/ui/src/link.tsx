import { type ComponentType, createContext, type ReactNode, use } from 'react'

/** What a link needs to be shown: where it leads, and what is in it. */
export type LinkProps = {
  to: string
  className?: string | undefined
  children: ReactNode
  [data: `data-${string}`]: unknown
}

/** How the app follows its own links; without a provider they load a page. */
export const LinkContext = createContext<ComponentType<LinkProps>>(({ to, ...props }) => (
  <a href={to} {...props} />
))

/** A link to a screen of the app. */
export function Link(props: LinkProps) {
  const AppLink = use(LinkContext)
  return <AppLink {...props} />
}

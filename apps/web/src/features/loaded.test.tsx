import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Loaded } from '#src/features/loaded.tsx'

type Answer = (text: string | null) => void

/** A part whose loading the test ends: with a text, or null for a failure. */
function LoadedText({ answers }: { answers: Answer[] }) {
  const query = useQuery({
    queryKey: ['text'],
    retry: false,
    queryFn: () =>
      new Promise<string>((done, fail) => {
        answers.push((text) => (text === null ? fail(new Error('away')) : done(text)))
      }),
  })
  return (
    <Loaded query={query} skeleton={<p>Loading</p>}>
      {(text) => <p>{text}</p>}
    </Loaded>
  )
}

it('a failure stays while polls try again, and goes when the person does or when the data comes', async () => {
  const answers: Answer[] = []
  const queries = new QueryClient()
  render(
    <QueryClientProvider client={queries}>
      <LoadedText answers={answers} />
    </QueryClientProvider>,
  )
  await screen.findByText('Loading')
  answers.shift()?.(null)
  await screen.findByRole('alert')
  const poll = queries.refetchQueries()
  await expect.poll(() => answers.length).toBe(1)
  expect(screen.queryByText('Loading')).toBe(null)
  expect(screen.getByRole('alert')).toBeTruthy()
  answers.shift()?.(null)
  await poll
  await userEvent.click(screen.getByRole('button'))
  await screen.findByText('Loading')
  answers.shift()?.('the text')
  await screen.findByText('the text')
})

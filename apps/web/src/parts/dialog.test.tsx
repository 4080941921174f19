import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Dialog } from '#src/parts/overlays.tsx'
import { useQuestion } from '#src/parts/use-question.tsx'
import { pressTwice } from '#src/testing/press-twice.ts'
import { showComponent } from '#src/testing/show-component.tsx'

it('an alert has one button, which closes it', async () => {
  const onClose = vi.fn()
  const person = await showComponent(<Dialog open onClose={onClose} title="Saved" />)
  await screen.findByRole('alertdialog', { name: 'Saved' })
  await person.click(screen.getByRole('button', { name: 'OK' }))
  expect(onClose).toHaveBeenCalledOnce()
})

it('a question is confirmed by its own button, and cancelled by the other or by Escape', async () => {
  const onClose = vi.fn()
  const onConfirm = vi.fn()
  const person = await showComponent(
    <Dialog open onClose={onClose} title="Log out?" confirm={{ label: 'Log out', onConfirm }} />,
  )
  await screen.findByRole('alertdialog', { name: 'Log out?' })
  await person.click(screen.getByRole('button', { name: 'Log out' }))
  expect(onConfirm).toHaveBeenCalledOnce()
  expect(onClose).not.toHaveBeenCalled()
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  await person.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(2)
})

it('while the confirmed action is pending, its button ignores a second press', async () => {
  const onConfirm = vi.fn()
  const person = await showComponent(
    <Dialog
      open
      onClose={() => {}}
      title="Log out?"
      confirm={{ label: 'Log out', onConfirm, busy: true }}
    />,
  )
  await person.click(await screen.findByRole('button', { name: 'Log out' }))
  expect(onConfirm).not.toHaveBeenCalled()
})

it('a question that is closing takes no second press', async () => {
  const onConfirm = vi.fn()
  function Asked() {
    const [ask, question] = useQuestion({
      title: 'Log out?',
      text: '',
      confirm: 'Log out',
      onConfirm,
    })
    return (
      <>
        <button type="button" onClick={ask}>
          Ask
        </button>
        {question}
      </>
    )
  }
  const person = await showComponent(<Asked />)
  await person.click(screen.getByRole('button', { name: 'Ask' }))
  await pressTwice(await screen.findByRole('button', { name: 'Log out' }))
  expect(onConfirm).toHaveBeenCalledOnce()
})

it('the focus goes into the dialog', async () => {
  await showComponent(<Dialog open onClose={() => {}} title="Saved" />)
  const dialog = await screen.findByRole('alertdialog')
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
})

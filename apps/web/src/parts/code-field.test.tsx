import { cleanup, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { CodeField } from '#src/parts/code-field.tsx'
import { showComponent } from '#src/testing/show-component.tsx'

function Field({ onComplete, error }: { onComplete?: (code: string) => void; error?: string }) {
  const [value, setValue] = useState('')
  return (
    <CodeField
      label="Code"
      value={value}
      onChange={setValue}
      onComplete={onComplete}
      error={error}
    />
  )
}

const boxes = () => screen.getAllByRole<HTMLInputElement>('textbox')
const shown = () => boxes().map(({ value }) => value)

it('a typed code goes from box to box, and is reported once with its sixth digit', async () => {
  const onComplete = vi.fn()
  const person = await showComponent(<Field onComplete={onComplete} />)
  await person.click(boxes()[0] as Element)
  await person.keyboard('24681')
  expect(onComplete).not.toHaveBeenCalled()
  await person.keyboard('0')
  expect(shown()).toEqual(['2', '4', '6', '8', '1', '0'])
  expect(onComplete.mock.calls.map(([code]) => code)).toEqual(['246810'])
})

it('a code that is pasted fills all boxes', async () => {
  const person = await showComponent(<Field />)
  await person.click(boxes()[0] as Element)
  await person.paste('246810')
  expect(shown()).toEqual(['2', '4', '6', '8', '1', '0'])
})

it('a code in wide or other digits, with blanks between them, is read as what it means', async () => {
  const person = await showComponent(<Field />)
  await person.click(boxes()[0] as Element)
  await person.paste(' １２３ ٤٥٦ ')
  expect(shown()).toEqual(['1', '2', '3', '4', '5', '6'])
})

it('a secret code looks like no password to a browser, which would offer one or keep the code', async () => {
  await showComponent(<CodeField label="Code" value="12" onChange={() => {}} secret />)
  const inputs = [...document.querySelectorAll('input')]
  expect(inputs).toHaveLength(7)
  for (const input of inputs) {
    expect(input.type).toBe('text')
    expect(input.autocomplete).toBe('off')
  }
  for (const box of boxes()) {
    expect(box.dataset.secret).toBe('true')
    expect(box.dataset.lpignore).toBe('true')
  }
})

it('a mailed code is offered by the phone, and only in the first box', async () => {
  await showComponent(<Field />)
  expect(boxes().map((box) => box.autocomplete)).toEqual(['one-time-code', ...Array(5).fill('off')])
})

it('only digits are accepted', async () => {
  const person = await showComponent(<Field />)
  await person.click(boxes()[0] as Element)
  await person.keyboard('a2')
  expect(shown()).toEqual(['2', '', '', '', '', ''])
})

it('the fault is shown under the boxes, and marks them', async () => {
  await showComponent(<Field error="The code is wrong" />)
  expect(screen.getByText('The code is wrong')).toBeTruthy()
  expect(boxes().every((box) => box.getAttribute('aria-invalid') === 'true')).toBe(true)
})

it('the fault is read with the first box, which gets the focus, and is an alert while no box can have it', async () => {
  await showComponent(<Field error="The code is wrong" />)
  const said = boxes().map((box) => box.getAttribute('aria-describedby'))
  expect(document.getElementById(said[0] ?? '')?.textContent).toBe('The code is wrong')
  expect(said.slice(1)).toEqual(Array(5).fill(null))
  expect(screen.queryByRole('alert')).toBeNull()
  cleanup()
  await showComponent(
    <CodeField label="Code" value="" onChange={() => {}} disabled error="Locked" />,
  )
  expect(screen.getByRole('alert').textContent).toBe('Locked')
})

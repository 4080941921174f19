import { act, fireEvent, screen } from '@testing-library/react'
import { useLayoutEffect, useState } from 'react'
import { beforeAll, expect, it, vi } from 'vitest'
import { DaySheet, OneDaySheet, useDraft } from '#src/features/day-sheet.tsx'
import type { DaySpan } from '#src/i18n/days.ts'
import { loadAllTexts } from '#src/i18n/load.tsx'
import { showComponent } from '#src/testing/show-component.tsx'

beforeAll(() => loadAllTexts('en'))

/** A screen whose day turns by one button, and whose sheet opens and closes by another. */
function DaysScreen({ onChange }: { onChange: (span: unknown) => void }) {
  const [today, setToday] = useState('2026-03-09')
  const [open, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setToday('2026-03-10')} aria-label="midnight" />
      <button type="button" onClick={() => setOpen(!open)} aria-label="open or close" />
      <DaySheet {...{ open, today, onChange }} span="today" onClose={() => setOpen(false)} />
    </>
  )
}

const fieldOf = (label: string) => screen.findByLabelText<HTMLInputElement>(label)

/** A click on a part of the screen that is behind the sheet. */
const press = (label: string) => fireEvent.click(screen.getByLabelText(label))

it('a date that was entered before midnight is kept after it', async () => {
  const onChange = vi.fn()
  const person = await showComponent(<DaysScreen onChange={onChange} />)
  fireEvent.change(await fieldOf('From'), { target: { value: '2026-01-02' } })
  press('midnight')
  expect((await fieldOf('From')).value).toBe('2026-01-02')
  await person.click(screen.getByRole('button', { name: 'Show these days' }))
  expect(onChange).toHaveBeenCalledWith({ from: '2026-01-02', to: '2026-03-09' })
})

it('dates that nobody has changed follow the day, and entered ones are gone at the next opening', async () => {
  await showComponent(<DaysScreen onChange={() => {}} />)
  press('midnight')
  expect((await fieldOf('From')).value).toBe('2026-03-10')
  fireEvent.change(await fieldOf('From'), { target: { value: '2026-01-02' } })
  press('open or close')
  press('open or close')
  expect((await fieldOf('From')).value).toBe('2026-03-10')
})

it('an arrow key chooses days without closing their sheet, and a press closes it', async () => {
  const [onChange, onClose] = [vi.fn(), vi.fn()]
  function Days() {
    const [span, setSpan] = useState<DaySpan>('today')
    const change = (chosen: DaySpan) => {
      onChange(chosen)
      setSpan(chosen)
    }
    return <DaySheet open today="2026-03-09" onChange={change} {...{ span, onClose }} />
  }
  const person = await showComponent(<Days />)
  act(() => screen.getByRole('radio', { name: 'Today' }).focus())
  await person.keyboard('{ArrowRight}{ArrowRight}')
  expect(onChange.mock.calls).toEqual([['yesterday'], ['week']])
  expect(onClose).not.toHaveBeenCalled()
  await person.click(screen.getByRole('radio', { name: 'Today' }))
  expect(onChange).toHaveBeenLastCalledWith('today')
  expect(onClose).toHaveBeenCalledOnce()
})

it('an arrow key chooses one day without closing its sheet', async () => {
  const [onChange, onClose] = [vi.fn(), vi.fn()]
  const days = { open: true, day: '2026-03-09', today: '2026-03-09', withAll: true }
  const person = await showComponent(<OneDaySheet {...days} {...{ onChange, onClose }} />)
  act(() => screen.getByRole('radio', { name: 'Today' }).focus())
  await person.keyboard('{ArrowRight}')
  expect(onChange).toHaveBeenCalledWith('2026-03-08')
  expect(onClose).not.toHaveBeenCalled()
})

it('one day that was entered is kept when the day turns', async () => {
  function OneDayScreen() {
    const [today, setToday] = useState('2026-03-09')
    const sheet = { open: true, day: null, withAll: true, onChange: () => {}, onClose: () => {} }
    return (
      <>
        <button type="button" onClick={() => setToday('2026-03-10')} aria-label="midnight" />
        <OneDaySheet {...sheet} today={today} />
      </>
    )
  }
  await showComponent(<OneDayScreen />)
  const field = await fieldOf('Day')
  fireEvent.change(field, { target: { value: '2026-03-01' } })
  press('midnight')
  expect(field.value).toBe('2026-03-01')
})

it('what is entered before the effects of the opening have run is kept', async () => {
  function Entry({ open }: { open: boolean }) {
    const [text, setText] = useDraft<string>(open, 'shown')
    useLayoutEffect(() => {
      if (open) setText('entered')
    }, [open, setText])
    return <p>{text}</p>
  }
  function Opened() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)} aria-label="open" />
        <Entry open={open} />
      </>
    )
  }
  await showComponent(<Opened />)
  press('open')
  expect(screen.getByText('entered')).toBeTruthy()
})

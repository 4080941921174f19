import { Refusal } from '@sum28/contract/client.ts'
import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { showFailure } from '#src/data/failure.ts'
import { showToast, toastStore } from '#src/parts/toast-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  fireEvent.click(document.body)
  vi.useRealTimers()
})

const shown = () => toastStore.get()?.text

function refuse(msg: string) {
  showFailure(new Refusal({ code: 0, msg, time: '0', data: { reason: 'fault' } }))
}

it('a refusal stays until the next press, but for six seconds at least', () => {
  refuse('账号或密码错误')
  // The press that led to it.
  fireEvent.click(document.body)
  vi.advanceTimersByTime(600_000)
  expect(shown()).toBe('账号或密码错误')
  fireEvent.scroll(document.body)
  fireEvent.pointerDown(document.body)
  fireEvent.pointerCancel(document.body)
  expect(shown()).toBe('账号或密码错误')
  fireEvent.pointerUp(document.body)
  expect(shown()).toBe(undefined)
})

it('a refusal that was followed by a press goes after six seconds: what was tried anew has no toast of it', () => {
  refuse('Refused')
  vi.advanceTimersByTime(3_000)
  fireEvent.click(document.body)
  vi.advanceTimersByTime(2_999)
  expect(shown()).toBe('Refused')
  vi.advanceTimersByTime(1)
  expect(shown()).toBe(undefined)
})

it('the press that a refusal waits for removes no later toast', () => {
  refuse('Refused')
  vi.advanceTimersByTime(6_000)
  showToast('Saved')
  fireEvent.click(document.body)
  expect(shown()).toBe('Saved')
  vi.advanceTimersByTime(6_000)
  expect(shown()).toBe(undefined)
})

it('a sentence in Chinese or Korean is shown for as long as the same one in English', () => {
  for (const text of ['Notifications are on', '通知已开启', '알림을 켰습니다']) {
    showToast(text)
    vi.advanceTimersByTime(2_300)
    expect(shown()).toBe(text)
  }
})

import { expect, it } from 'vitest'
import { panelHeightPercent } from '#src/screens/room/panel-height.ts'

it('the panel has 60% of every screen on which its content fits by scrolling', () => {
  for (const screenPx of [484, 568, 667, 844, 1_200]) {
    expect(panelHeightPercent(screenPx)).toBe(60)
  }
})

it('the panel is higher if the keyboard or a landscape phone leaves no row of outcomes', () => {
  expect(panelHeightPercent(390)).toBe(75)
  expect(panelHeightPercent(200)).toBe(96)
})

import { expect, it } from 'vitest'
import { panelHeightPercent } from '#src/screens/bet-room/panel-height.ts'

it('gives the panel 60% of a screen', () => {
  for (const height of [667, 740, 844, 932, 1_200]) expect(panelHeightPercent(height)).toBe(60)
})

it('gives it more where 60% would hide its buttons: a short screen, or one with the keyboard up', () => {
  expect(panelHeightPercent(568)).toBe(71)
  expect(panelHeightPercent(500)).toBe(80)
  expect(panelHeightPercent(300)).toBe(96)
})

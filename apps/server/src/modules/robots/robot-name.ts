/** Names for robots, like those that people choose: a robot is recognised by its label, not by its name. */
import { oneOf, type Random } from './random.ts'

const GIVEN =
  `Aiko Alex Amir Anh Anita Arif Ben Bima Carlo Chen Clara Dani Dewi Diego Elena Emir Eva Farid
  Felix Finn Gita Hana Hugo Huong Ines Ivan Jade Jin Joon Kai Karim Kei Lan Lena Leo Lila Linh Luca Mai
  Marco Maya Mei Mika Mina Minh Nadia Nam Nico Nina Noah Omar Oscar Paolo Petra Putri Quang Rafi Ravi
  Rina Rosa Ryo Sara Sena Siti Sora Tam Theo Thu Tomas Tuan Uma Vera Viet Wei Yara Yuki Yuna Zara`.split(
    /\s+/,
  )

const WORDS =
  `blue bright calm cloud coral cosmic dawn desert dune early ember fern fox green harbor hill
  island jade jolly lake lemon light lucky lunar maple mint moon north ocean olive orange pine quiet
  rain river sandy silver sky snow solar spring star stone summer sunny swift tiger wave wild winter`.split(
    /\s+/,
  )

/** A user name of 3–20 letters, digits and underscores; most are not taken yet. */
export function robotName(random: Random): string {
  const firstName = oneOf(GIVEN, random)
  const word = oneOf(WORDS, random)
  const number = String(random(990) + 10)
  const name = oneOf(
    [
      `${firstName}_${number}`,
      `${firstName.toLowerCase()}${number}`,
      `${word}_${firstName.toLowerCase()}`,
      `${firstName}${word[0]?.toUpperCase()}${word.slice(1)}`,
      `${word}${number}`,
      `${firstName.toLowerCase()}${word}`,
    ],
    random,
  )
  return name.slice(0, 20)
}

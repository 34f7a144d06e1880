#include "textflag.h"

// weights are how often each byte of a block counts in the second sum: the first 32 times, the last once.
DATA weights<>+0(SB)/8, $0x191a1b1c1d1e1f20
DATA weights<>+8(SB)/8, $0x1112131415161718
DATA weights<>+16(SB)/8, $0x090a0b0c0d0e0f10
DATA weights<>+24(SB)/8, $0x0102030405060708
GLOBL weights<>(SB), RODATA|NOPTR, $32

// func adlerSums(p *byte, blocks int) (s1, s2 uint32)
//
// Y1 is the sum of the bytes, in four lanes. Y2 is the weighted sum within the blocks, in eight. Y3 is what Y1 was
// before each block: those bytes count block times more for it.
TEXT ·adlerSums(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), SI
	MOVQ blocks+8(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VMOVDQU weights<>(SB), Y4
	VPCMPEQW Y5, Y5, Y5 // sixteen times -1
	VPSRLW $15, Y5, Y5  // sixteen times 1

next:
	VMOVDQU (SI), Y6
	VPADDD Y1, Y3, Y3
	VPSADBW Y0, Y6, Y7
	VPADDD Y7, Y1, Y1
	VPMADDUBSW Y4, Y6, Y6 // at most 255*(32+31): it fits
	VPMADDWD Y5, Y6, Y6
	VPADDD Y6, Y2, Y2
	ADDQ $32, SI
	DECQ CX
	JNZ next

	VPSLLD $5, Y3, Y3
	VPADDD Y3, Y2, Y2

	VEXTRACTI128 $1, Y1, X6
	VPADDD X6, X1, X1
	VPSHUFD $0x4e, X1, X6
	VPADDD X6, X1, X1
	VMOVD X1, AX // lanes of 64 bits, each sum in the lower half

	VEXTRACTI128 $1, Y2, X6
	VPADDD X6, X2, X2
	VPSHUFD $0x4e, X2, X6
	VPADDD X6, X2, X2
	VPSHUFD $0xb1, X2, X6
	VPADDD X6, X2, X2
	VMOVD X2, BX
	VZEROUPPER
	MOVL AX, s1+16(FP)
	MOVL BX, s2+20(FP)
	RET

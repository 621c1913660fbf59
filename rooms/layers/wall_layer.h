/** One layer of a wall as it is built. */
#ifndef ROOMS_WALL_LAYER_H
#define ROOMS_WALL_LAYER_H

enum layer_kind {
    LAYER_AIR,
    LAYER_POROUS,
    LAYER_HOLES, /* a plate with round holes */
    LAYER_SLITS, /* a plate with slits */
    LAYER_SCREEN,
    LAYER_PANEL /* no air passes */
};

/** 0 for what its kind does not have. */
struct wall_layer {
    enum layer_kind kind;
    double thickness;        /* [m], of all but a screen; a panel bends only if it has one */
    double flow_resistivity; /* of a porous layer [Pa s/m2] */
    double porosity, tortuosity, viscous_length, thermal_length; /* (-), (-), [m], [m]; all 0: Miki's layer */
    double flow_resistance;                                      /* of a screen [Pa s/m] */
    double opening;                                              /* diameter of holes, width of slits [m] */
    double open_share;                                           /* of a plate's area, 0..1 (-) */
    double mass;          /* [kg/m2]; a panel has one, a screen or plate with 0 is held still */
    double modulus, loss; /* Young's modulus of a panel [Pa], its loss factor (-) */
};

#endif
